import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { fromMicros, instant, plusMicros, toMicros } from '../../src/kernel/instant.js';
import type { CountedEvent, UsageQuestion } from '../../src/metering/domain/counter.js';
import { measureUsage } from '../../src/metering/domain/measure-usage.js';
import { readUsageEvent, acceptedTimes } from '../../src/metering/domain/usage-event.js';
import { aBasis, aRate } from '../support/builders/metering.js';
import { newOrg, NOW, openUsageDatabase, sent, type UsageDatabase } from './usage-database.js';

const START = toMicros(instant('2026-01-20'));
const BASIS = aBasis({ start: instant('2026-01-01'), end: instant('2026-02-01') });

/** Close together, many at one instant and at both ends of others' stretches. */
const time = fc
  .tuple(fc.integer({ min: 0, max: 24 }), fc.constantFrom(0n, 0n, 0n, 1n, -1n))
  .map(([quarters, micros]) => fromMicros(START + BigInt(quarters) * 250_000n + micros));
/** Decimals of many lengths, what has too many digits, and what is no number. */
const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -5, max: 5 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0.1, 0.25, -2.5, 1e-7, 123456.78901, 999999999.5, 1e9, 1e300, -1e-300),
  },
  { weight: 2, arbitrary: fc.constantFrom('1e-5', '0.30', '12345678901234567', 'x', '-7') },
  { weight: 1, arbitrary: fc.constantFrom(null, true, [], undefined) },
);

let usage: UsageDatabase;
beforeAll(async () => {
  usage = await openUsageDatabase();
});
afterAll(() => usage.drop());

describe('a rate that PostgreSQL computes', () => {
  it('is that of the definition, where stretches overlap and end together', async () => {
    const events = fc.array(fc.tuple(time, value), { minLength: 1, maxLength: 40, size: 'max' });
    const window = fc
      .tuple(time, time)
      .map(([a, b]) => (a < b ? { start: a, end: b } : { start: b, end: a }));
    await fc.assert(
      fc.asyncProperty(
        events,
        window,
        fc.constantFrom('seconds', 'minutes', 'total'),
        async (said, inside, granularity) => {
          const org = newOrg();
          const entries = said.map(([time_created, n], place) =>
            sent(place, { time_created, properties: { n } }),
          );
          await usage.ingest(org, entries);
          const read = entries.map((entry): CountedEvent => {
            const { event } = readUsageEvent(JSON.parse(JSON.stringify(entry)), acceptedTimes(NOW), (id) =>
              customerKeyOf(org, id),
            );
            return { ...event!, properties: JSON.parse(event!.properties) as CountedEvent['properties'] };
          });
          const windows = [
            inside,
            { start: fromMicros(START), end: plusMicros(fromMicros(START), 7_000_000n) },
          ];
          const questions = (['count', 'sum', 'average', 'max'] as const).flatMap((aggregation) =>
            windows.map((period): UsageQuestion => ({
              customerKey: customerKeyOf(org, 'c-1'),
              filters: [],
              window: period,
              basis: BASIS,
              definition: aRate({
                aggregation,
                granularity,
                ...(aggregation === 'count' && { propertyName: null }),
              }),
            })),
          );
          expect(await usage.live.countLive(org, questions)).toEqual(
            questions.map((question) => {
              const { quantity, eventCount, absentValues } = measureUsage(question, read);
              return { quantity, eventCount, absentValues };
            }),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
