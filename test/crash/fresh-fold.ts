import { buildTableOf } from '../../projections/runtime/read-model-tables.js';
import { createPool } from '../../src/platform/database/pg-pool.js';
import { EventStoreDbEventStore } from '../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js';
import { PostgresEventStore } from '../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { PROJECTIONS } from '../../projections/registry.js';
import { ProjectionHost } from '../../projections/runtime/projection-host.js';
import { ProjectionProgress } from '../../projections/runtime/progress.js';
import { PATIENCE_MS } from '../support/until.js';
import type { Stores } from './broken-in.js';

const TABLES = PROJECTIONS.flatMap(({ version, tables }) =>
  Object.keys(tables).map((view) => buildTableOf(view, version)),
);

/**
 * Empties the read models of a stopped service's database and folds its log again. Returns the tables whose rows are
 * different from before.
 */
export async function tablesOffTheLog({ databaseUrl, eventStoreUrl }: Stores): Promise<string[]> {
  const pool = createPool(databaseUrl, () => undefined);
  const store = eventStoreUrl ? new EventStoreDbEventStore(eventStoreUrl) : new PostgresEventStore(pool);
  try {
    const before = await digests(pool);
    for (const table of TABLES) await pool.query(`truncate ${table}`);
    await pool.query('delete from projection_checkpoints');
    const progress = new ProjectionProgress(pool, PROJECTIONS);
    const host = new ProjectionHost(store, pool, pool, PROJECTIONS, progress, createLogger('error'));
    host.start();
    const head = (await store.head())!;
    if (!(await progress.waitFor(head, PATIENCE_MS)))
      throw new Error('the read models do not reach the head');
    await host.stop();
    const after = await digests(pool);
    return TABLES.filter((table) => before.get(table) !== after.get(table));
  } finally {
    await store.close();
    await pool.end();
  }
}

async function digests(pool: ReturnType<typeof createPool>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const table of TABLES) {
    const { rows } = await pool.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest from ${table} t`,
    );
    found.set(table, rows[0]!.digest);
  }
  return found;
}
