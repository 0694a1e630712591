import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import { measureUsage } from '../../src/metering/domain/measure-usage.js';
import { readUsageEvent, acceptedTimes } from '../../src/metering/domain/usage-event.js';
import { LateUsage } from '../../src/metering/late-usage.js';
import { UsageLog } from '../../src/metering/usage-log.js';
import { RequestedCounts } from '../../src/metering/requested-counts.js';
import { UsageReader } from '../../src/metering/usage-reader.js';
import { UsageSealer } from '../../src/metering/usage-sealer.js';
import { statementsOf } from './recorded-statements.js';
import { newOrg, NOW, openUsageDatabase, sent, type UsageDatabase } from './usage-database.js';
import { aCounter } from '../support/builders/metering.js';

const EVENTS = 110_220;
const LARGE = 'c-large';
const ORG = newOrg();
const WINDOW = { start: instant('2026-01-01'), end: instant('2026-02-01') };

let usage: UsageDatabase;
/** 5,000 events of each of two customers among the hundred thousand of a large one, in batches of 10; 500 unsealed. */
beforeAll(async () => {
  usage = await openUsageDatabase();
  const keys = ['c-0', 'c-1', ...new Array<string>(20).fill(LARGE)].map((id) => customerKeyOf(ORG, id));
  await usage.test.pool.query(
    `insert into usage_events
      select $1::uuid, 'log:' || n, ($2::uuid[])[1 + n % 22], 'request', $3::timestamptz + n * interval '20 seconds',
        jsonb_build_object('bytes', n), sha256(n::text::bytea), n / 10 from generate_series(0, $4 - 1) n`,
    [ORG, keys, WINDOW.start, EVENTS],
  );
  await usage.test.pool.query(
    `insert into usage_batches select $1::uuid, n, case when n < 10500 then n + 1 end, 10, $2, '', $2
      from generate_series(0, $3 / 10 - 1) n`,
    [ORG, NOW, EVENTS],
  );
  await usage.test.pool.query(`select setval('usage_batch_ids', ${EVENTS / 10})`);
});
afterAll(() => usage.drop());

const request = (customerId: string) => ({
  org: ORG,
  customerKey: customerKeyOf(ORG, customerId),
  definition: aCounter({
    aggregation: 'sum',
    propertyName: 'bytes',
    numericFilters: [{ propertyName: 'bytes', operator: 'gte', comparisonValue: '100' }],
    categoricalFilters: [{ propertyName: 'bytes', operator: 'isnotin', comparisonValue: ['1000'] }],
  }),
  filters: [],
  window: WINDOW,
  sealedUpTo: 10_400n,
});

const GAUGE = {
  metricType: 'gauge',
  aggregation: 'max',
  eventType: 'total',
  granularity: 'hours',
  proration: 'minutes',
} as const;
const RATE = { metricType: 'rate', granularity: 'hours' } as const;

const everythingOf = (customerId: string) => {
  const asked = request(customerId);
  return { ...asked, definition: { ...asked.definition, numericFilters: [], categoricalFilters: [] } };
};

async function planOf({ text, values = [] }: pg.QueryConfig, mode: string): Promise<string> {
  const client = await usage.test.pool.connect();
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      mode === 'for its values' ? { text: `explain ${text}`, values } : `explain (generic_plan) ${text}`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    client.release();
  }
}

describe('on a large log', () => {
  it('no statement reads events or batches from end to end, planned for its values or for any', async () => {
    const { event } = readUsageEvent(sent('new'), acceptedTimes(NOW), (id) => customerKeyOf(ORG, id));
    for (const analyzed of [false, true]) {
      if (analyzed) await usage.test.pool.query('analyze');
      const statements = await statementsOf(usage.test.pool, async (database) => {
        const log = new UsageLog(database);
        await log.append(ORG, NOW, new Map([['log:new', event!]]));
        await log.bodyHashes(ORG, ['log:1', 'log:2']);
        await log.idsSince(ORG, ['log:1', 'log:2'], NOW);
        await usage.test.pool.query(
          'update usage_batches set sealed_number = null where sealed_number > 10500',
        );
        await new UsageSealer(database).seal(ORG);
        const reader = new UsageReader(database, new RequestedCounts(database));
        await reader.countMany([request('c-0'), request('c-1'), request(LARGE)]);
        await reader.count({ ...everythingOf(LARGE), sealedUpTo: 20_000n });
        for (const changes of [GAUGE, { ...GAUGE, eventType: 'delta' }, RATE] as const) {
          const asked = request('c-1');
          const week = { start: instant('2026-01-08'), end: instant('2026-01-15') };
          await reader.count({ ...asked, window: week, definition: { ...asked.definition, ...changes } });
        }
        const deltas = { ...request(LARGE).definition, ...GAUGE, eventType: 'delta' as const };
        const base = { end: instant('2026-01-15'), sealedUpTo: '9000', level: '1', eventCount: 1 };
        const others = { absentValues: 0, digest: '00' };
        await reader.countDeltas([{ ...request(LARGE), definition: deltas, base: { ...base, ...others } }]);
      });
      statements.push(
        ...(await statementsOf(usage.test.pool, (database) =>
          new LateUsage(database).firstReceived(
            ORG,
            ['c-0', LARGE].map((customerId) => ({
              customerKey: customerKeyOf(ORG, customerId),
              eventName: 'request',
              from: WINDOW.start,
              to: WINDOW.end,
              countedUpTo: '10400',
            })),
          ),
        )),
      );
      expect(statements.map(({ name }) => name ?? 'cursor')).toEqual([
        'usage-append',
        'usage-body-hashes',
        'usage-ids-since',
        'usage-watermark',
        'usage-seal-lock',
        'usage-seal',
        'usage-count',
        'usage-count',
        'cursor',
        'usage-last-reading',
        'usage-count',
        'usage-readings',
        'usage-count',
        'usage-readings',
        'usage-rate-sum',
        'usage-count',
        'usage-count-from-base',
        'usage-late',
      ]);
      for (const statement of statements) {
        for (const mode of ['for its values', 'for any']) {
          const plan = await planOf(statement, mode);
          expect({ statement: statement.name, mode, plan }).not.toMatchObject({
            plan: expect.stringMatching(/Seq Scan on usage_/),
          });
        }
      }
    }
  });

  it('a digest over more events than are gathered in memory is the same sha256', async () => {
    await usage.sealer.seal(ORG);
    for (const [sealedUpTo, events] of [
      [10_000n, 90_908],
      [20_000n, 100_200],
    ] as const) {
      const count = await usage.reader.count({ ...everythingOf(LARGE), sealedUpTo });
      expect(count).toMatchObject({ eventCount: events, digest: await digestUpTo(sealedUpTo) });
    }
  });
});

describe('what is folded over more events than are fetched at once', () => {
  it('is what the definition says', async () => {
    await usage.sealer.seal(ORG);
    const asked = everythingOf(LARGE);
    const { rows } = await usage.test.pool.query<{ id: string; at: Instant; bytes: number; hash: string }>(
      `select idempotency_id as id, event_time as at, (properties ->> 'bytes')::int as bytes, encode(body_hash, 'hex') as hash
        from usage_events where org = $1 and customer_key = $2`,
      [ORG, asked.customerKey],
    );
    const events = rows.map(({ id, at, bytes, hash }) => ({
      idempotencyId: id,
      customerKey: asked.customerKey,
      eventName: 'request',
      time: at,
      properties: { bytes },
      bodyHash: hash,
    }));
    const window = { start: instant('2026-01-05'), end: instant('2026-01-15') };
    for (const changes of [GAUGE, { ...GAUGE, eventType: 'delta' }, RATE] as const) {
      const question = { ...asked, window, definition: { ...asked.definition, ...changes } };
      const expected = measureUsage(question, events);
      expect(expected.eventCount).toBeGreaterThan(20_000);
      expect(await usage.reader.count({ ...question, sealedUpTo: 20_000n })).toEqual(expected);
    }
  });
});

async function digestUpTo(sealedUpTo: bigint): Promise<string> {
  const { rows } = await usage.test.pool.query<{ hash: Buffer }>(
    `select body_hash as hash from usage_events where org = $1 and customer_key = $2 and batch_id < $3
      order by idempotency_id`,
    [ORG, customerKeyOf(ORG, LARGE), sealedUpTo],
  );
  const digest = createHash('sha256');
  for (const { hash } of rows) digest.update(hash);
  return digest.digest('hex');
}
