import { comparePositions, type Position } from '../../src/kernel/event.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { READ_MODELS, type ReadModels } from '../../src/platform/eventsourcing/read-models.js';
import type { TestApp } from './app.js';
import { PATIENCE_MS, until } from './until.js';

/** Tables that background work fills independently of requests. */
const BESIDE =
  "'webhook_deliveries', 'follow_ups_checkpoint', 'leases', 'manual_clock', 'usage_alert_positions', 'usage_days', 'usage_days_queue', 'usage_of_metrics', 'transparency_progress', " +
  "'transparency_trees', 'transparency_tiles', 'transparency_batches', 'transparency_checkpoints', 'transparency_faults', 'transparency_keys', 'transparency_cosignatures', 'transparency_witness_faults', 'transparency_uploads'";

/** Waits until the read models have reached the end of the log. */
export async function readModelsAtHead({ service }: TestApp): Promise<Position | undefined> {
  const log = await service.app.get<EventStore>(EVENT_STORE).head();
  if (log) await service.app.get<ReadModels>(READ_MODELS).waitFor(log, PATIENCE_MS);
  return log;
}

/**
 * Waits until the checkpoint of every read model is at the end of the log. A read model that has nothing to apply stores
 * its checkpoint a moment after it has reached the end.
 */
export async function checkpointsAtHead({ service: { app } }: TestApp): Promise<void> {
  await until(async () => {
    const head = await app.get<EventStore>(EVENT_STORE).head();
    const statuses = await app.get<ReadModels>(READ_MODELS).status();
    return statuses.every(({ position }) => !head || (position && comparePositions(position, head) >= 0));
  });
}

/** Returns the end of the log and the number of rows of every table. */
export async function storedCounts(app: TestApp): Promise<Record<string, unknown>> {
  const { pool } = app;
  const log = await readModelsAtHead(app);
  const { rows: tables } = await pool.query<{ counted: string }>(
    `select format('select %1$L as name, count(*) from %1$I', table_name) as counted from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name not in (${BESIDE})`,
  );
  const { rows } = await pool.query<{ name: string; count: string }>(
    tables.map(({ counted }) => counted).join(' union all '),
  );
  return { log, ...Object.fromEntries(rows.map(({ name, count }) => [name, count])) };
}
