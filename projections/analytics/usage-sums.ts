import type pg from 'pg';
import { recountUsageOfMetrics } from '../../src/analytics/recount-usage-of-metrics.js';
import { compareUsageDays } from '../../src/metering/compare-usage-days.js';
import { type Database, inTransaction } from '../../src/platform/database/open-database.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { UsageDays } from '../../src/metering/usage-days.js';
import type { ReadModelMismatch } from '../../src/platform/eventsourcing/read-models.js';

/** The sums of usage that reports read, as `recount projections` names them. They are of the usage log, not of events. */
export const USAGE_SUMS = 'usage-sums';

/** Rows of `usage_of_metrics` that a comparison counts anew. */
const SAMPLE = 20;
const BATCHES_AT_ONCE = 1_000;

/** A difference with the numbers of events, kept and stored. */
export interface UsageSumMismatch extends ReadModelMismatch {
  readonly org: Uuid;
  readonly rows: number;
  readonly expected: number;
}

/** Compares usage by day with all stored events, and a sample of the usage of metrics with a new count. */
export async function compareUsageSums(pool: pg.Pool): Promise<UsageSumMismatch[]> {
  const days = (await compareUsageDays(pool)).map(({ org, rows, events, stored }) => ({
    projection: USAGE_SUMS,
    table: 'usage_days',
    org,
    rows: events,
    expected: stored,
    description: `${events} events in ${rows} rows that have ${stored} by the usage log`,
  }));
  const metrics = await recountUsageOfMetrics(pool, SAMPLE);
  return [
    ...days,
    ...metrics.map(({ org, metricId, granularity, day, events, counted }) => ({
      projection: USAGE_SUMS,
      table: 'usage_of_metrics',
      org,
      rows: events,
      expected: counted,
      description: `${events} events of metric ${metricId} in the ${granularity} of ${day} and another sum than its ${counted} events have`,
    })),
  ];
}

/** Adds all stored usage up again. */
export async function* rebuildUsageSums(database: Database): AsyncGenerator<string, boolean> {
  await inTransaction(database.pool, async (client) => {
    await client.query('truncate usage_days, usage_of_metrics');
    await client.query(
      'insert into usage_days_queue select batch_id, org from usage_batches on conflict do nothing',
    );
  });
  const days = new UsageDays(database);
  let total = 0;
  for (let taken = -1; taken !== 0; total += taken) taken = await days.add(BATCHES_AT_ONCE);
  yield `${USAGE_SUMS}: ${total} batches added up again`;
  return true;
}
