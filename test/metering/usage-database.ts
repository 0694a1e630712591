import { randomUUID } from 'node:crypto';
import { customerKeyOf, type Uuid } from '../../src/kernel/ids.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import { IngestUsage, IngestUsageHandler } from '../../src/metering/commands/ingest-usage.js';
import type { IngestOutcome } from '../../src/metering/domain/ingestion.js';
import { LiveUsageReader } from '../../src/metering/live-usage-reader.js';
import { RequestedCounts } from '../../src/metering/requested-counts.js';
import { LateUsage } from '../../src/metering/late-usage.js';
import { UsageLog } from '../../src/metering/usage-log.js';
import { UsageReader } from '../../src/metering/usage-reader.js';
import { UsageSealer } from '../../src/metering/usage-sealer.js';
import { Database } from '../../src/platform/database/open-database.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

export const NOW = instant('2026-01-31T12:00:00Z');

export interface UsageDatabase {
  readonly test: TestDatabase;
  readonly log: UsageLog;
  readonly sealer: UsageSealer;
  readonly reader: UsageReader;
  readonly live: LiveUsageReader;
  readonly late: LateUsage;
  /** Ingests events as a caller sends them. Default time: NOW. */
  ingest(org: Uuid, entries: readonly unknown[], now?: Instant): Promise<IngestOutcome>;
  drop(): Promise<void>;
}

/** Opens the usage log on a new database. */
export async function openUsageDatabase(): Promise<UsageDatabase> {
  const test = await createTestDatabase();
  const database = new Database(test.pool, test.url, async () => {});
  const log = new UsageLog(database);
  const requested = new RequestedCounts(database);
  return {
    test,
    log,
    sealer: new UsageSealer(database),
    reader: new UsageReader(database, requested),
    live: new LiveUsageReader(database, requested),
    late: new LateUsage(database),
    ingest: (org, entries, now = NOW) =>
      new IngestUsageHandler({ now: async () => now }, log, { keep: async () => {} }).execute(
        new IngestUsage(org, entries),
      ),
    drop: () => test.drop(),
  };
}

export const newOrg = (): Uuid => randomUUID();

/** Returns a valid event: request number n of customer c-1. */
export const sent = (n: number | string, changes: object = {}): Record<string, unknown> => ({
  idempotency_id: `log:${n}`,
  customer_id: 'c-1',
  event_name: 'request',
  time_created: '2026-01-31T10:00:00Z',
  properties: { bytes: 10 },
  ...changes,
});

export const keyOf = (org: Uuid): Uuid => customerKeyOf(org, 'c-1');
