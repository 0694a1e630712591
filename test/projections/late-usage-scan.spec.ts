import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LateUsageScan } from '../../src/billing/late-usage/late-usage-scan.js';
import type { DueAccount } from '../../src/billing/read-models/due.js';
import { namedId, type Uuid } from '../../src/kernel/ids.js';
import { instant, MINUTE, plusMicros } from '../../src/kernel/instant.js';
import type { LateUsage } from '../../src/metering/late-usage.js';
import { Database } from '../../src/platform/database/open-database.js';
import { rowsRead, statementsOf } from '../metering/recorded-statements.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const ORG = namedId('organization of the late usage scan spec');
const JANUARY = instant('2026-01-01');
const FEBRUARY = instant('2026-02-01');
const NOW = instant('2026-02-10');

/** Terms of each account, each with a window, one per minute of January. The scan reads 200 at a time. */
const TERMS = [150, 300, 50];
const accountOf = (index: number): Uuid => `00000000-0000-0000-0000-00000000000${index}` as Uuid;

/** Finds usage in every window; the later the window, the earlier it was received. */
const LATE = {
  firstReceived: async (_, readings) =>
    new Map(
      readings.map(({ from }, index) => {
        const minute = BigInt(Date.parse(from) - Date.parse(JANUARY)) / 60_000n;
        return [index, plusMicros(FEBRUARY, (1_000n - minute) * MINUTE)];
      }),
    ),
} satisfies Pick<LateUsage, 'firstReceived'> as Pick<LateUsage, 'firstReceived'>;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase('recount_with_read_models');
  await test.pool.query(
    `insert into metrics (org, metric_id, name, event_name, metric_type, aggregation, numeric_filters,
       categorical_filters, is_cost_metric, definition_hash, created_at, stream_revision)
     values ($1, $1, 'requests', 'request', 'counter', 'count', '[]', '[]', false, '', $2, 0)`,
    [ORG, JANUARY],
  );
  for (const [index, terms] of TERMS.entries()) {
    await test.pool.query(
      `insert into due_billing (org, subscription_id, customer_key, currency, graced, unmet, last_run_at, stream_revision)
       select $1, ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, $2, 'USD', false, false, $3, 0
       from generate_series($4::int, $4::int + $5::int - 1) n`,
      [ORG, accountOf(index), FEBRUARY, index * 1_000, terms],
    );
    await test.pool.query(
      `insert into usage_closes (org, close_id, customer_key, charge_key, subscription_id, metric_id, window_start,
         window_end, quantity, event_count, absent_values, sealed_up_to, digest)
       select $1::uuid, ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, $2::uuid, '',
         ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, $1::uuid,
         $4::timestamptz + n * interval '1 minute', $4::timestamptz + (n + 1) * interval '1 minute', 0, 0, 0, 0, ''
       from generate_series($5::int, $5::int + $3::int - 1) n`,
      [ORG, accountOf(index), terms, JANUARY, index * 1_000],
    );
  }
});
afterAll(() => test.drop());

it('yields an account whose terms cross a page once, with its earliest late usage', async () => {
  const database = new Database(test.pool, test.url, async () => {});
  const found: DueAccount[] = [];
  for await (const account of new LateUsageScan(database, LATE as LateUsage).accounts(NOW, ORG))
    found.push(account);
  expect(found.map(({ customer_key: key, caused_at: at }) => [key, at])).toEqual(
    TERMS.map((terms, index) => {
      const lastMinute = BigInt(index * 1_000 + terms - 1);
      return [accountOf(index), plusMicros(FEBRUARY, (1_000n - lastMinute + 30n) * MINUTE)];
    }),
  );
});

it('reads each window once, however many pages there are', async () => {
  const statements = await statementsOf(test.pool, async (database) => {
    for await (const account of new LateUsageScan(database, LATE as LateUsage).accounts(NOW)) void account;
  });
  expect(statements).toHaveLength(3);
  const { rows } = await test.pool.query<{ relname: string }>(
    `select relname from pg_class where relkind = 'r' and relname like 'usage\\_closes\\_v%'`,
  );
  const windows = TERMS.reduce((sum, terms) => sum + terms, 0);
  expect(await rowsRead(test.pool, rows[0]!.relname, statements)).toBe(windows);
});
