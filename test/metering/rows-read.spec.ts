import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MetricDefinition } from '../../src/pricing/price-content.js';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { DAY, instant, plusMicros } from '../../src/kernel/instant.js';
import type { Period } from '../../src/kernel/period.js';
import type { UsageBase } from '../../src/metering/domain/usage-base.js';
import { COUNT_LIVE_USAGE_SQL } from '../../src/metering/count-sql.js';
import { LateUsage } from '../../src/metering/late-usage.js';
import { questionValues } from '../../src/metering/usage-questions-sql.js';
import { RequestedCounts } from '../../src/metering/requested-counts.js';
import { UsageReader } from '../../src/metering/usage-reader.js';
import { aBasis, aCounter, aGauge, aRate } from '../support/builders/metering.js';
import { rowsRead, statementsOf } from './recorded-statements.js';
import { newOrg, openUsageDatabase, type UsageDatabase } from './usage-database.js';

const ORG = newOrg();
const END = instant('2026-07-01');
/** Both use one thing a day, the one for six years, the other for half of one. */
const [LONG, SHORT] = [2_190, 180];
const JUNE = { start: instant('2026-06-01'), end: END };

let usage: UsageDatabase;
beforeAll(async () => {
  usage = await openUsageDatabase();
  const first = plusMicros(END, BigInt(-LONG) * DAY);
  await usage.test.pool.query(
    `insert into usage_events
      select $1::uuid, name || n, key, 'request', $4::timestamptz + n * interval '1 day', jsonb_build_object('n', 1),
        sha256((name || n)::bytea), n + 1
      from generate_series(0, $5 - 1) n cross join unnest($2::text[], $3::uuid[], $6::int[]) as c (name, key, days)
      where n >= $5 - days`,
    [
      ORG,
      ['long', 'short'],
      ['long', 'short'].map((id) => customerKeyOf(ORG, id)),
      ...[first, LONG, [LONG, SHORT]],
    ],
  );
  await usage.test.pool.query(
    `insert into usage_batches select $1::uuid, n + 1, n + 1, 2, $2::timestamptz + n * interval '1 day', '',
        $2::timestamptz + n * interval '1 day' from generate_series(0, $3 - 1) n`,
    [ORG, first, LONG],
  );
  await usage.test.pool.query('analyze');
});
afterAll(() => usage.drop());

const asked = (customer: string, definition: MetricDefinition, window: Period, sealedUpTo = LONG) => ({
  org: ORG,
  customerKey: customerKeyOf(ORG, customer),
  definition,
  filters: [],
  window,
  sealedUpTo: BigInt(sealedUpTo),
  basis: aBasis(window),
});

/** Rows that the close of June reads. */
async function readFor(
  customer: string,
  definition: MetricDefinition,
  {
    base,
    sealedUpTo,
    table = 'usage_events',
  }: { base?: UsageBase; sealedUpTo?: number; table?: string } = {},
): Promise<number> {
  const { pool } = usage.test;
  const request = asked(customer, definition, JUNE, sealedUpTo);
  const statements = await statementsOf(pool, (database) =>
    new UsageReader(database, new RequestedCounts(database)).count({ ...request, ...(base && { base }) }),
  );
  return rowsRead(pool, table, statements);
}

/** Counts May as its usage snapshot did on the first of June. */
async function countOfMay(customer: string, definition: MetricDefinition): Promise<UsageBase> {
  const may = { start: instant('2026-05-01'), end: JUNE.start };
  const { level, ...count } = await usage.reader.count(asked(customer, definition, may, LONG - 30));
  return { ...count, end: may.end, sealedUpTo: String(LONG - 30), level: level! };
}

describe('what a close reads of the usage log', () => {
  it.each<[string, MetricDefinition, number]>([
    ['a counter', aCounter({ aggregation: 'sum', propertyName: 'n' }), 30],
    ['a rate', aRate(), 60],
    ['a gauge of totals', aGauge(), 63],
  ])('is no more of a long history than of a short one: %s', async (_, definition, rows) => {
    expect(await readFor('short', definition)).toBe(rows);
    expect(await readFor('long', definition)).toBe(rows);
  });

  it('of a gauge of deltas is its window and 31 days, where it continues from the previous gauge checkpoint', async () => {
    const definition = aGauge({ eventType: 'delta' });
    for (const [customer, whole] of [
      ['short', SHORT],
      ['long', LONG],
    ] as const) {
      const base = await countOfMay(customer, definition);
      // Reads the sum of the window, new events and readings, and the 31 days in which late ones can be. The rows
      // that several queries of a statement filter out are reported as an average in whole rows.
      const read = await readFor(customer, definition, { base });
      expect([read, read - 1]).toContain(3 * 30 + 31);
      const readWithout = await readFor(customer, definition);
      expect([readWithout, readWithout - 1]).toContain(whole + 2 * 30);
    }
  });

  it('is a batch or two, however many the tenant has, where others came after the watermark too', async () => {
    const table = 'usage_batches';
    const definition = aCounter();
    expect(await readFor('long', definition, { table })).toBe(0);
    // The first batch past the watermark, and for events of batches after it their own.
    expect(await readFor('long', definition, { table, sealedUpTo: LONG - 5 })).toBe(1 + 5);
    const deltas = aGauge({ eventType: 'delta' });
    const base = await countOfMay('long', deltas);
    expect(await readFor('long', deltas, { table, base })).toBeLessThanOrEqual(2);
  });
});

it('a count of a customer reads no events of others in a log that PostgreSQL has no statistics of', async () => {
  const fresh = await openUsageDatabase();
  try {
    await fresh.test.pool.query(
      `insert into usage_events
        select $1::uuid, 'e' || n, case n when 0 then $2::uuid else gen_random_uuid() end, 'request',
          $3::timestamptz + n * interval '1 minute', '{}', sha256(n::text::bytea), 1 from generate_series(0, 999) n`,
      [ORG, customerKeyOf(ORG, 'short'), JUNE.start],
    );
    await fresh.test.pool.query(`insert into usage_batches values ($1, 1, 1, 1000, $2, '', $2)`, [
      ORG,
      JUNE.start,
    ]);
    const statements = await statementsOf(fresh.test.pool, async (database) => {
      await new UsageReader(database, new RequestedCounts(database)).count(
        asked('short', aCounter(), JUNE, 1),
      );
      const reading = { customerKey: customerKeyOf(ORG, 'short'), eventName: 'request', countedUpTo: '0' };
      await new LateUsage(database).firstReceived(ORG, [{ ...reading, from: JUNE.start, to: JUNE.end }]);
    });
    expect(statements.map(({ name }) => name)).toEqual(['usage-count', 'usage-late']);
    expect(await rowsRead(fresh.test.pool, 'usage_events', statements)).toBe(2);
  } finally {
    await fresh.drop();
  }
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe('what a count that a request asks for computes', () => {
  it('is the value of each event once, not once for each aggregate', async () => {
    const { pool } = usage.test;
    const definition = aCounter({ aggregation: 'sum', propertyName: 'n' });
    const question = { customerKey: customerKeyOf(ORG, 'long'), definition, filters: [], window: JUNE };
    const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (verbose, format json) ${COUNT_LIVE_USAGE_SQL.all.text}`,
      [ORG, null, ...questionValues([question])],
    );
    const aggregate = nodesOf(rows[0]!['QUERY PLAN'][0]!.Plan).find(
      (node) => node['Node Type'] === 'Aggregate',
    )!;
    // A value that a node below has computed stands in brackets of its own.
    expect(aggregate.Output!.join()).toContain('sum((CASE');
  });
});
