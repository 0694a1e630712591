import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { plusMicros } from '../../src/kernel/instant.js';
import {
  add,
  divide,
  exactText,
  multiply,
  quantity as quantityOf,
  ratio,
  ZERO,
} from '../../src/kernel/quantity.js';
import type { CountedEvent, UsageQuestion } from '../../src/metering/domain/counter.js';
import { GaugeRuns, MOST_RUNS } from '../../src/metering/domain/gauge-runs.js';
import { measureUsage } from '../../src/metering/domain/measure-usage.js';
import { acceptedTimes, readUsageEvent } from '../../src/metering/domain/usage-event.js';
import { UsageSteps, type GaugeSteps, type RateWindow } from '../../src/metering/usage-steps.js';
import { Database } from '../../src/platform/database/open-database.js';
import { theSame, tries } from '../support/law-runs.js';
import { BASIS, batches, question } from './usage-arbitraries.js';
import { newOrg, NOW, openUsageDatabase, type UsageDatabase } from './usage-database.js';

let usage: UsageDatabase;
let steps: UsageSteps;
beforeAll(async () => {
  usage = await openUsageDatabase();
  steps = new UsageSteps(new Database(usage.test.pool, usage.test.url, async () => {}));
});
afterAll(() => usage.drop());

/** Questions that most histories have events for. */
const ofLevels = question
  .filter(({ definition }) => definition.metricType !== 'counter')
  .map((asked) => ({
    ...asked,
    customer_id: 'c-1',
    definition: {
      ...asked.definition,
      eventName: 'request',
      propertyName: asked.definition.propertyName === null ? null : 'n',
    },
  }));

/** Computes a rate from its highest window, as an auditor does. */
const rateOf = (window: RateWindow | null, { aggregation }: UsageQuestion['definition']) => {
  if (!window) return ZERO;
  if (aggregation !== 'average') return window.total;
  return window.values === 0 ? ZERO : divide(window.total, ratio(BigInt(window.values), 1n));
};

/** Computes a gauge from its runs, as an auditor does. */
const gaugeOf = ({ runs, further }: GaugeSteps) =>
  runs.map(({ peak, time, length }) => multiply(peak, ratio(time, length))).reduce(add, further.quantity);

/** Returns the question for a counter over a window, its last instant included. */
const asCounterIn = ({ start, end }: RateWindow, asked: UsageQuestion): UsageQuestion => ({
  ...asked,
  definition: { ...asked.definition, metricType: 'counter', granularity: null },
  window: { start, end: plusMicros(end, 1n) },
});

describe('the steps to the quantity of a rate or a gauge (docs/contract.md#explain-and-verify)', () => {
  it('sum to the quantity that is counted, for any history and question', async () => {
    const reached = { windows: 0, runs: 0, peaks: 0 };
    const several = fc.array(ofLevels, { minLength: 6, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(batches, several, async (history, questions) => {
        const org = newOrg();
        const entries = history
          .flatMap((batch) => batch.entries)
          .map(([prefix, said], n) => ({ ...said, idempotency_id: `${prefix}${n}` }));
        expect(await usage.ingest(org, entries)).toMatchObject({ failed: 0 });
        const sealedUpTo = await usage.sealer.seal(org);
        const events = entries.map((entry) => storedEvent(org, entry));
        for (const { customer_id: customer, ...rest } of questions) {
          const asked = { ...rest, customerKey: customerKeyOf(org, customer), basis: BASIS };
          const request = { ...asked, org, sealedUpTo };
          const caller = { org, signal: new AbortController().signal };
          const counted = measureUsage(asked, events).quantity;
          if (asked.definition.metricType === 'rate') {
            const window = await steps.rateWindow(request, caller);
            expect(exactText(rateOf(window, asked.definition))).toBe(counted);
            if (!window) continue;
            const inside = measureUsage(asCounterIn(window, asked), events);
            expect(inside).toMatchObject({ quantity: counted, eventCount: window.eventCount });
            expect(events.find(({ idempotencyId }) => idempotencyId === window.idempotencyId)?.time).toBe(
              window.end,
            );
            reached.windows += 1;
          } else {
            const gauge = await steps.gaugeSteps(request, caller);
            expect(exactText(gaugeOf(gauge))).toBe(counted);
            let { start: before } = asked.window;
            for (const { start, end } of gauge.runs) {
              expect(start >= before && start < end && end <= asked.window.end).toBe(true);
              before = end;
            }
            if (gauge.peakAt) reached.peaks += 1;
            reached.runs += gauge.runs.length;
          }
        }
      }),
      { ...tries(80), ...theSame(60, fc.tuple(batches, several)) },
    );
    // The property would hold for nothing, too.
    expect(reached.windows).toBeGreaterThan(20);
    expect(reached.runs).toBeGreaterThan(20);
    expect(reached.peaks).toBeGreaterThan(2);
  });

  it('put adjacent buckets of equal peak together, and sum what is beyond the limit', () => {
    const runs = new GaugeRuns();
    const part = (n: bigint, peak: string) => ({
      start: n * 10n,
      end: n * 10n + 10n,
      peak: quantityOf(peak),
      length: 100n,
      peakAt: n * 10n,
    });
    for (let n = 0n; n < 200n; n += 1n) runs.add(part(n, String((n / 2n) % 3n)));
    expect(runs.runs).toHaveLength(MOST_RUNS);
    expect(runs.runs.every(({ start, end }) => end - start === 20n)).toBe(true);
    expect(runs.further.runs).toBe(100 - MOST_RUNS);
    const all = Array.from({ length: 200 }, (_, n) => Math.floor(n / 2) % 3).reduce((sum, n) => sum + n, 0);
    const listed = runs.runs.map(({ peak, start, end }) => multiply(peak, ratio(end - start, 100n)));
    expect(exactText([...listed, runs.further.quantity].reduce(add, ZERO))).toBe(String(all / 10));
  });
});

/** Returns the event that the log makes of what was sent. */
function storedEvent(org: string, entry: object): CountedEvent {
  const { event } = readUsageEvent(entry, acceptedTimes(NOW), (id) => customerKeyOf(org, id));
  return { ...event!, properties: JSON.parse(event!.properties) as CountedEvent['properties'] };
}
