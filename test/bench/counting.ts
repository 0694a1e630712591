import { monitorEventLoopDelay } from 'node:perf_hooks';
import type pg from 'pg';
import { MIGRATIONS } from '../../src/migrations.js';
import type { MetricDefinition } from '../../src/pricing/price-content.js';
import { customerKeyOf, namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { measureUsage } from '../../src/metering/domain/measure-usage.js';
import type { CountedEvent, UsageQuestion } from '../../src/metering/domain/counter.js';
import { LiveUsageReader } from '../../src/metering/live-usage-reader.js';
import { RequestedCounts } from '../../src/metering/requested-counts.js';
import { UsageReader } from '../../src/metering/usage-reader.js';
import { runMigrations } from '../../src/platform/database/migrations.js';
import { Database } from '../../src/platform/database/open-database.js';
import { aBasis, aCounter, aGauge, aPeriod, aRate } from '../support/builders/metering.js';
import { withPool, type Cluster } from './cluster.js';
import { median, type Figure } from './report.js';

const EVENTS = 100_000;
const TIMES = 7;
const ORG = namedId('organization of the counting benchmark');
const WINDOW = aPeriod('2026-01-01', '2026-02-01');

const KINDS: Readonly<Record<string, MetricDefinition>> = {
  'a counter by sum': aCounter({ aggregation: 'sum', propertyName: 'n' }),
  'a rate by seconds, sum': aRate({ granularity: 'seconds' }),
  'a rate by seconds, count': aRate({ granularity: 'seconds', aggregation: 'count', propertyName: null }),
  'a rate by seconds, average': aRate({ granularity: 'seconds', aggregation: 'average' }),
  'a rate by hours, max': aRate({ aggregation: 'max' }),
  'a gauge of deltas by seconds': aGauge({ eventType: 'delta', granularity: 'hours', proration: 'seconds' }),
  'a gauge of totals by minutes': aGauge({ granularity: 'hours', proration: 'minutes' }),
  'a gauge of totals by days': aGauge(),
};

/**
 * Measures counting 100,000 events of one customer, live as for an access check, and sealed with a digest as for an
 * invoice draft. Beside it runs a plain query for the times and values of the same rows in chronological order.
 */
export const measureCounting = async (cluster: Cluster): Promise<Figure[]> =>
  withPool(await cluster.createDatabase(), async (pool) => {
    await runMigrations(pool, MIGRATIONS);
    await insertEvents(pool);
    const events = await readEvents(pool);
    const database = new Database(pool, '', async () => {});
    const requested = new RequestedCounts(database);
    const reader = new UsageReader(database, requested);
    const liveReader = new LiveUsageReader(database, requested);
    const figures: Figure[] = [];
    for (const [name, definition] of Object.entries(KINDS)) {
      const question: UsageQuestion = {
        customerKey: customerKeyOf(ORG, 'c-1'),
        definition,
        filters: [],
        window: WINDOW,
        basis: aBasis(WINDOW),
      };
      const expected = measureUsage(question, events);
      const live = await timesOf(async () => (await liveReader.countLive(ORG, [question]))[0]!);
      const sealed = await timesOf(() => reader.count({ ...question, org: ORG, sealedUpTo: 1n }));
      const raw = await timesOf(() => pool.query(RAW, [ORG, question.customerKey]));
      figures.push({
        name: `counting 100,000 events: ${name}`,
        settings: `${live.ms} ms live, ${sealed.ms} ms with a digest, ${raw.ms} ms the raw query (medians of ${TIMES}); the event loop stood still for at most ${live.stall} and ${sealed.stall} ms, in the raw query ${raw.stall} ms`,
        unit: 'events',
        perSecond: (EVENTS * 1000) / live.ms,
        ceiling: {
          name: 'a query of the times and values of the same rows in order',
          perSecond: (EVENTS * 1000) / raw.ms,
        },
        check: {
          what: 'quantity, events and absent values are those of the definition in TypeScript, and the digest too',
          holds:
            JSON.stringify({ ...live.answer, digest: expected.digest }) ===
              JSON.stringify(ascending(expected)) &&
            JSON.stringify(ascending(sealed.answer)) === JSON.stringify(ascending(expected)),
        },
      });
    }
    return figures;
  });

const ascending = ({ quantity, eventCount, absentValues, digest }: ReturnType<typeof measureUsage>) => ({
  quantity,
  eventCount,
  absentValues,
  digest,
});

async function timesOf<Answer>(work: () => Promise<Answer>) {
  let answer = await work();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    answer = await work();
    times.push(performance.now() - began);
  }
  delay.disable();
  return { answer, ms: Math.round(median(times)), stall: Math.round(delay.max / 1e6) };
}

const RAW = `select event_time, (properties -> 'n')::numeric from usage_events
  where org = $1 and customer_key = $2 and event_name = 'request' order by event_time`;

/** Inserts events about 27 s apart. Every third has the time of the previous one; one in 50 has no value. */
async function insertEvents(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into usage_events
      select $1, 'id-' || n, $2, 'request',
        '2026-01-01T00:00:00Z'::timestamptz + (n - (n % 3 = 0)::int) * interval '26.7 seconds',
        case when n % 50 = 0 then '{}' else jsonb_build_object('n', round((n * 7919 % 1000) / 100.0, 2)) end,
        sha256(n::text::bytea), 1
      from generate_series(1, $3::int) n`,
    [ORG, customerKeyOf(ORG, 'c-1'), EVENTS],
  );
  await pool.query(
    `insert into usage_batches values ($1, 1, 1, $2, '2026-01-01T00:00:00Z', '', '2026-01-31T00:00:00Z')`,
    [ORG, EVENTS],
  );
  await pool.query('vacuum analyze usage_events, usage_batches');
}

async function readEvents(pool: pg.Pool): Promise<CountedEvent[]> {
  const { rows } = await pool.query<{ id: string; at: string; n: object; hash: string }>(
    `select idempotency_id as id, event_time as at, properties as n, encode(body_hash, 'hex') as hash from usage_events`,
  );
  return rows.map(({ id, at, n, hash }) => ({
    idempotencyId: id,
    customerKey: customerKeyOf(ORG, 'c-1'),
    eventName: 'request',
    time: instant(at),
    properties: n as CountedEvent['properties'],
    bodyHash: hash,
  }));
}
