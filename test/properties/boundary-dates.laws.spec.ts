import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { fromMicros, instant } from '../../src/kernel/instant.js';
import type { Interval } from '../../src/kernel/period.js';
import type { RenewalPricing } from '../../src/subscription/domain/next-term.js';
import type { SubscriptionEvent, Term } from '../../src/subscription/domain/events.js';
import { termDecider } from '../../src/subscription/domain/term-decider.js';
import { aPriceContent } from '../support/builders/catalog.js';
import { aTerm, aTermPricing, started } from '../support/builders/subscription.js';
import { given } from '../support/given-when-then.js';
import { tries } from '../support/law-runs.js';

const zones = fc.constantFrom(
  'UTC',
  'America/Los_Angeles',
  'America/Havana',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
);
const intervals: fc.Arbitrary<Interval> = fc.oneof(
  fc.integer({ min: 3, max: 20 }).map((count): Interval => ({ unit: 'day', count })),
  fc.integer({ min: 1, max: 3 }).map((count): Interval => ({ unit: 'week', count })),
  fc.integer({ min: 1, max: 13 }).map((count): Interval => ({ unit: 'month', count })),
  fc.constant<Interval>({ unit: 'year', count: 1 }),
);

function renewed(term: Term, renewal: RenewalPricing): Term {
  const [event] = given(termDecider, [started(term)])
    .when({ type: 'CloseTerm', renewal }, { now: term.end })
    .decided();
  return (event as Extract<SubscriptionEvent, { type: 'SubscriptionRenewed' }>).data.successor;
}

const pricingOf = (zone: string, interval: Interval) => {
  const prices = aPriceContent();
  const [charge] = prices.recurringCharges;
  const content = { ...prices, recurringCharges: [{ ...charge!, resetInterval: interval }], components: [] };
  return aTermPricing({ zone, version: { content, duration: null } });
};

it('boundaries keep their dates through changes of the time zone, and follow one another by whole intervals', () => {
  const hours = fc.integer({ min: 0, max: 400 * 24 });
  fc.assert(
    fc.property(
      hours,
      intervals,
      fc.array(zones, { minLength: 2, maxLength: 8 }),
      (hour, interval, [zone, ...later]) => {
        const start = Temporal.Instant.from('2025-11-01T00:00:00Z').add({ hours: hour });
        const date = start.toZonedDateTimeISO(zone!).toPlainDate();
        const boundary = (n: number, where: string) => {
          const { unit, count } = interval;
          const next = date.add({ [`${unit}s`]: n * count });
          return fromMicros(BigInt(next.toZonedDateTime(where).epochMilliseconds) * 1000n);
        };
        let term = aTerm({ start: instant(start.toString()), pricing: pricingOf(zone!, interval) });
        expect(term.end).toBe(boundary(1, zone!));
        for (const [n, where] of later.entries()) {
          term = renewed(term, pricingOf(where, interval));
          expect(term.end).toBe(boundary(n + 2, where));
        }
      },
    ),
    tries(200),
  );
});
