import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  gaugeCheckpointOf,
  gaugeCheckpointUpTo,
  withGaugeCheckpoint,
  type GaugeCheckpoints,
} from '../../src/billing/accounts/domain/gauge-checkpoints.js';
import { countOfPeriod } from '../../src/billing/accounts/domain/account-charges.js';
import type { ClosedUsagePeriod } from '../../src/billing/accounts/domain/event-data.js';
import { customerKeyOf, namedId, type Uuid } from '../../src/kernel/ids.js';
import { DAY, HOUR, instant, plusMicros, type Instant } from '../../src/kernel/instant.js';
import type { Period } from '../../src/kernel/period.js';
import type { CountRequest } from '../../src/metering/usage-reader.js';
import { newOrg, openUsageDatabase, type UsageDatabase } from './usage-database.js';
import { aBasis, aGauge } from '../support/builders/metering.js';
import { theSame } from '../support/law-runs.js';

let usage: UsageDatabase;
beforeAll(async () => {
  usage = await openUsageDatabase();
});
afterAll(() => usage.drop());

const START = instant('2026-01-01');
const CUSTOMER = 'c-1';
const days = (count: number): bigint => BigInt(Math.round(count * 24)) * HOUR;

/** Two metrics, each of all usage and of that of a region. */
const METRICS = [
  { metricId: namedId('seats'), definition: aGauge({ eventType: 'delta' }) },
  {
    metricId: namedId('peak of seats that are added'),
    definition: aGauge({
      eventType: 'delta',
      proration: null,
      numericFilters: [{ propertyName: 'n', operator: 'gt', comparisonValue: '0' }],
    }),
  },
] as const;
const FILTERS = [[], [{ propertyName: 'region', value: 'eu' }]] as const;

const event = fc.record({
  customer: fc.constantFrom(CUSTOMER, CUSTOMER, CUSTOMER, 'c-2'),
  /** Days before it is received, up to the 30 that are accepted; negative: early. */
  late: fc.oneof(
    fc.double({ min: -0.9, max: 3, noNaN: true }),
    fc.double({ min: 0, max: 29.9, noNaN: true }),
  ),
  n: fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom<unknown>('2.5', 'none', null)),
  region: fc.constantFrom('eu', 'us'),
});
const count = fc.record({
  metric: fc.nat({ max: 1 }),
  filters: fc.nat({ max: 1 }),
  length: fc.double({ min: 0, max: 45, noNaN: true }),
  /** Time since the end of the window: mostly 0. Sometimes the counted window is older than the last one. */
  ended: fc.oneof(fc.constant(0), fc.constant(0), fc.double({ min: 0, max: 40, noNaN: true })),
});
const history = fc.array(
  fc.record({
    passed: fc.double({ min: 0, max: 20, noNaN: true }),
    events: fc.array(event, { maxLength: 8 }),
    /** A batch with a lower id than those before it: it commits late. */
    straggles: fc.constantFrom(false, false, false, true),
    counts: fc.array(count, { maxLength: 3 }),
    again: fc.nat(),
  }),
  { minLength: 8, maxLength: 24, size: 'max' },
);

describe('a count that continues another', () => {
  it('law: is the count of the whole history, whatever arrived late and however often it continued', async () => {
    const reached = { late: 0, recounts: 0, nothingNew: 0, steps: 0, stragglers: 0 };
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const org = newOrg();
        const closes: ClosedUsagePeriod[] = [];
        let levels: GaugeCheckpoints = new Map();
        let [now, n, batch] = [START, 0, await lastBatch()];
        for (const { passed, events, straggles, counts, again } of steps) {
          now = plusMicros(now, days(passed));
          batch += 10;
          await usage.test.pool.query(`select setval('usage_batch_ids', $1)`, [
            straggles ? batch - 15 : batch,
          ]);
          const sent = events.map(({ customer, late, n: value, region }) => ({
            idempotency_id: `event ${(n += 1)}`,
            customer_id: customer,
            event_name: 'request',
            time_created: plusMicros(now, -days(late)),
            properties: { n: value, region },
          }));
          expect(await usage.ingest(org, sent, now)).toMatchObject({ failed: 0 });
          const sealedUpTo = await usage.sealer.seal(org);
          if (straggles) reached.stragglers += events.length;

          for (const asked of counts) {
            const end = plusMicros(now, -days(asked.ended));
            const window = { start: plusMicros(end, -days(asked.length)), end };
            const filters = FILTERS[asked.filters]!;
            const { metricId } = METRICS[asked.metric]!;
            const base = gaugeCheckpointUpTo(levels, metricId, filters, end);
            const close = await closed(org, { ...METRICS[asked.metric]!, window, filters, sealedUpTo }, base);
            if (base) reached.steps += 1;
            closes.push(close);
            levels = withGaugeCheckpoint(levels, close);
          }
          // A window is counted again when something came late: from its own count on.
          const before = closes[again % (closes.length || 1)];
          if (!before) continue;
          const { definition } = METRICS.find(({ metricId }) => metricId === before.metricId)!;
          const question = { ...before, definition, filters: before.level!.filters, sealedUpTo };
          const recount = await closed(org, question, gaugeCheckpointOf(countOfPeriod(before))!);
          reached.recounts += 1;
          if (recount.eventCount === before.eventCount) {
            expect({ ...recount, closeId: '', level: null, sealedUpTo: '' }).toEqual({
              ...before,
              closeId: '',
              level: null,
              sealedUpTo: '',
            });
            reached.nothingNew += 1;
          } else reached.late += 1;
          closes.push(recount);
          levels = withGaugeCheckpoint(levels, recount);
        }
      }),
      { numRuns: 16, ...theSame(12, fc.tuple(history)) },
    );
    for (const times of Object.values(reached)) expect(times).toBeGreaterThan(1);
  });
});

describe('a delta that came as late as any is accepted', () => {
  it('is counted on top of a close that was made a moment before', async () => {
    const org = newOrg();
    const end = plusMicros(START, 60n * DAY);
    const sent = (id: string, at: Instant) => ({
      idempotency_id: id,
      customer_id: CUSTOMER,
      event_name: 'request',
      time_created: at,
      properties: { n: 1 },
    });
    await usage.ingest(org, [sent('in time', plusMicros(end, -30n * DAY))], end);
    const asked = { ...METRICS[0], window: { start: START, end }, filters: FILTERS[0] };
    const close = await closed(org, { ...asked, sealedUpTo: await usage.sealer.seal(org) });
    expect(await usage.ingest(org, [sent('late', plusMicros(end, -30n * DAY))], end)).toMatchObject({
      failed: 0,
    });
    const sealedUpTo = await usage.sealer.seal(org);
    expect(
      await closed(org, { ...asked, sealedUpTo }, gaugeCheckpointOf(countOfPeriod(close))),
    ).toMatchObject({
      eventCount: 2,
      level: { reached: '2', after: close.closeId },
    });
  });
});

interface Counted {
  readonly metricId: Uuid;
  readonly definition: CountRequest['definition'];
  readonly window: Period;
  readonly filters: CountRequest['filters'];
  readonly sealedUpTo: bigint;
}

/** Counts from the base and from the first delta, expects the same, and answers what a run makes of it. */
async function closed(
  org: Uuid,
  asked: Counted,
  base?: ReturnType<typeof gaugeCheckpointOf>,
): Promise<ClosedUsagePeriod> {
  const { metricId, definition, window, filters, sealedUpTo } = asked;
  const basis = aBasis({ start: START, end: plusMicros(START, 3_650n * DAY) });
  const customerKey = customerKeyOf(org, CUSTOMER);
  const request = { org, customerKey, definition, filters, window, sealedUpTo, basis };
  const whole = await usage.reader.count(request);
  const count = base ? await usage.reader.count({ ...request, base }) : whole;
  expect({ ...count, digest: '' }).toEqual({ ...whole, digest: '' });
  expect(await usage.reader.countDeltas([{ ...request, ...(base && { base }) }])).toEqual([
    { ...evidenceOf(count), quantity: count.level, digest: count.digest },
  ]);
  const { level, ...evidence } = count;
  const named = `${org} ${metricId} ${window.end} ${sealedUpTo} ${evidence.digest}`;
  return {
    ...evidence,
    closeId: namedId(named),
    chargeKey: '',
    subscriptionId: org,
    metricId,
    window,
    reading: window,
    sealedUpTo: String(sealedUpTo),
    supersedes: null,
    level: { reached: level!, filters, after: base?.closeId ?? null },
  };
}

const evidenceOf = ({ eventCount, absentValues }: { eventCount: number; absentValues: number }) => ({
  eventCount,
  absentValues,
});

async function lastBatch(): Promise<number> {
  const { rows } = await usage.test.pool.query<{ id: string | null }>(
    'select max(batch_id) as id from usage_batches',
  );
  return Number(rows[0]!.id ?? 100);
}
