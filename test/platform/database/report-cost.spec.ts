import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AnalyticsReader } from '../../../src/analytics/queries/analytics-reader.js';
import { MonthlyReports } from '../../../src/analytics/queries/monthly-reports.js';
import { UsageByDayReport } from '../../../src/analytics/queries/usage-by-day.js';
import { namedId } from '../../../src/kernel/ids.js';
import { instant } from '../../../src/kernel/instant.js';
import {
  UpcomingWorkReport,
  type UpcomingWork,
} from '../../../src/billing/scheduler/upcoming-work-report.js';
import { LateUsage } from '../../../src/metering/late-usage.js';
import { UsageDays } from '../../../src/metering/usage-days.js';
import { Database } from '../../../src/platform/database/open-database.js';
import type { ReadModels } from '../../../src/platform/eventsourcing/read-models.js';
import type { OpaquePositions } from '../../../src/platform/privacy/vault.js';
import { rowsRead, statementsOf } from '../../metering/recorded-statements.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

const ORG = namedId('organization of the report cost spec');
/** Number of batches that fill many blocks of the index by batch. */
const BATCHES = 100;
const BATCH = 200;
const TERMS = 300;
const VERSIONS = 3;
const JANUARY = { start: instant('2026-01-01'), end: instant('2026-02-01') };

/** Read models without an applied event, so that answers have no position. */
const NO_LOG = { reached: async () => undefined } as unknown as ReadModels;
const readerOf = (database: Database) => new AnalyticsReader(database, NO_LOG, {} as OpaquePositions);

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase('recount_with_read_models');
});
afterAll(() => test.drop());

/** Returns the table of the live build behind a view. */
async function tableOf(view: string): Promise<string> {
  const { rows } = await test.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relname ~ ('^' || $1 || '_v\\d+$')`,
    [view],
  );
  return rows[0]!.name;
}

describe('usage by day', () => {
  const usageOf = async (database: Database) => {
    const { rows } = await new UsageByDayReport(readerOf(database), database).read(
      ORG,
      JANUARY,
      'day',
      undefined,
    );
    return rows.map(({ day, event_name, events }) => ({ day, event_name, events }));
  };
  const inView = async () =>
    (
      await test.pool.query<{ day: string; event_name: string; events: string }>(
        `select day, event_name, sum(events) as events from analytics.usage_by_day
         where org = $1 group by day, event_name order by day, event_name`,
        [ORG],
      )
    ).rows;
  const insert = async (first: number, batches: number) => {
    const values = [ORG, first, first + batches - 1, BATCH];
    await test.pool.query(
      `insert into usage_events
         select $1::uuid, batch || '-' || n, gen_random_uuid(), 'name-' || n % 3,
           '2026-01-02T00:00:00Z'::timestamptz + batch * interval '7 hours', '{}', '', batch
         from generate_series($2::int, $3::int) batch cross join generate_series(1, $4::int) n`,
      values,
    );
    await test.pool.query(
      `insert into usage_batches
         select $1::uuid, batch, null, $4, '2026-01-02T00:00:00Z', '', '2026-01-31T00:00:00Z'
         from generate_series($2::int, $3::int) batch`,
      values,
    );
  };

  it('is that of every stored event, before and after two workers have added it up', async () => {
    await insert(1, BATCHES);
    const database = new Database(test.pool, test.url, async () => {});
    const wanted = await inView();
    expect(await usageOf(database)).toEqual(wanted);
    const days = new UsageDays(database);
    expect(await days.add(1)).toBe(1);
    expect(await usageOf(database)).toEqual(wanted);
    const taken = await Promise.all([days.add(BATCHES), days.add(BATCHES)]);
    let sum = taken[0]! + taken[1]!;
    while (sum < BATCHES - 1) sum += await days.add(BATCHES);
    expect(sum).toBe(BATCHES - 1);
    expect(await usageOf(database)).toEqual(wanted);
    expect(await days.add(BATCHES)).toBe(0);
  });

  it('reads no event of a batch that was added up', async () => {
    await insert(BATCHES + 1, 1);
    await test.pool.query('vacuum analyze usage_events');
    const statements = await statementsOf(test.pool, usageOf);
    expect(await usageOf(new Database(test.pool, test.url, async () => {}))).toEqual(await inView());
    // Reads the events of the batch and those in the same blocks.
    expect(await rowsRead(test.pool, 'usage_events', statements)).toBeLessThan((BATCHES * BATCH) / 5);
    expect(await rowsRead(test.pool, 'usage_days', statements)).toBeLessThan(BATCHES * 3);
    expect(await rowsRead(test.pool, 'usage_days_queue', statements)).toBe(1);
  });
});

describe('recurring revenue', () => {
  it('reads each term once, and each version once for all of its terms', async () => {
    await test.pool.query(
      `insert into plan_versions (org, plan_id, version_id, version, currency, recurring_charges, components,
         content_hash, features, target_customer_keys, created_at, published_revision, stream_revision)
       select $1::uuid, $1::uuid, md5('version' || n)::uuid, n, 'USD',
         '[{"amount": "30", "resetInterval": null}, {"amount": "12", "resetInterval": {"count": 1, "unit": "year"}}]',
         '[]', '', '[]', '[]', '2026-01-01', 0, 0 from generate_series(1, $2::int) n`,
      [ORG, VERSIONS],
    );
    await test.pool.query(
      `insert into subscriptions (org, subscription_id, customer_key, plan_id, version_id, currency, basis, start_at,
         end_at, scheduled_end, auto_renew, is_new, state, filters, metadata, prepaid_units, nothing_more_due)
       select $1::uuid, gen_random_uuid(), gen_random_uuid(), $1::uuid, md5('version' || 1 + n % $3::int)::uuid, 'USD',
         '{"duration": {"count": 1, "unit": "month"}}', '2026-01-01', '2026-02-01', true, false, true, 'ended', '[]',
         '{}', '[]', true from generate_series(1, $2::int) n`,
      [ORG, TERMS, VERSIONS],
    );
    await test.pool.query(`insert into manual_clock values ($1, '2026-02-02')`, [ORG]);
    await test.pool.query('analyze');
    const revenueOf = (database: Database) =>
      new MonthlyReports(readerOf(database)).recurringRevenue(ORG, {
        first: '2026-01-01',
        last: '2026-02-01',
        currency: undefined,
      });
    let rows: readonly unknown[] = [];
    const statements = await statementsOf(test.pool, async (database) => {
      ({ rows } = await revenueOf(database));
    });
    expect(rows).toMatchObject([
      { month: '2026-01-01', customers: String(TERMS), mrr: `${31 * TERMS}.0000`, new: `${31 * TERMS}.0000` },
      { month: '2026-02-01', customers: '0', mrr: '0.0000', churn: `-${31 * TERMS}.0000` },
    ]);
    expect(await rowsRead(test.pool, await tableOf('subscriptions'), statements)).toBe(TERMS);
    expect(await rowsRead(test.pool, await tableOf('plan_versions'), statements)).toBe(VERSIONS);
  });
});

describe('upcoming work', () => {
  it('looks at each renewal once, and of closed windows at those that ended last', async () => {
    const windows = 2_000;
    await test.pool.query(
      `insert into due_terms select $1::uuid, gen_random_uuid(), '2026-02-02'::timestamptz + n * interval '1 hour'
       from generate_series(1, $2::int) n`,
      [ORG, TERMS],
    );
    await test.pool.query(
      `insert into metrics (org, metric_id, name, event_name, metric_type, aggregation, numeric_filters,
         categorical_filters, is_cost_metric, definition_hash, created_at, stream_revision)
       values ($1, $1, 'requests', 'request', 'counter', 'count', '[]', '[]', false, '', '2026-01-01', 0)`,
      [ORG],
    );
    await test.pool.query(
      `insert into usage_closes (org, close_id, customer_key, charge_key, subscription_id, metric_id, window_start,
         window_end, quantity, event_count, absent_values, sealed_up_to, digest)
       select $1::uuid, gen_random_uuid(), gen_random_uuid(), '', gen_random_uuid(), $1::uuid,
         '2026-01-01'::timestamptz + n * interval '1 minute', '2026-01-08'::timestamptz + n * interval '1 minute',
         0, 0, 0, 0, '' from generate_series(1, $2::int) n`,
      [ORG, windows],
    );
    await test.pool.query('analyze');
    let work: UpcomingWork | undefined;
    const statements = await statementsOf(test.pool, async (database) => {
      const clock = { now: async () => instant('2026-02-02') };
      work = await new UpcomingWorkReport(database, new LateUsage(database), clock).read(ORG, 31);
    });
    expect(work!.days.map(({ boundaries }) => boundaries).slice(0, 14)).toEqual([
      ...[23, ...Array.from({ length: 11 }, () => 24), 13, 0],
    ]);
    expect(work!.late).toEqual({ windows: 0, examined: 500 });
    // The report reads each term once for the days and once for waiting work.
    const looked = await rowsRead(test.pool, await tableOf('due_terms'), statements);
    expect(looked).toBeLessThanOrEqual(2 * TERMS);
    // It reads each of the 500 closed usage periods, and those that could supersede them.
    expect(await rowsRead(test.pool, await tableOf('usage_closes'), statements)).toBeLessThanOrEqual(1_001);
  });
});
