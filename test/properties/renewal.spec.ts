import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dayNumber, clampedDate, monthNumber, instant, type Instant } from '../../src/kernel/instant.js';
import { derivedId } from '../../src/kernel/ids.js';
import type { PlanDuration } from '../../src/kernel/period.js';
import { localDateOf, startOfLocalDay } from '../../src/kernel/zone.js';
import type { Term } from '../../src/subscription/domain/events.js';
import { termDecider } from '../../src/subscription/domain/term-decider.js';
import { aTermPricing, aStartRequest } from '../support/builders/subscription.js';
import { COMMAND_ID } from '../support/given-when-then.js';

const ZONES = ['UTC', 'Europe/Warsaw', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Pacific/Auckland'];

const aChain = fc.record({
  start: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    .map((date): Instant => instant(date.toISOString())),
  zone: fc.constantFrom(...ZONES),
  duration: fc.constantFrom<PlanDuration>('monthly', 'quarterly', 'yearly'),
  dayAnchor: fc.option(fc.integer({ min: 1, max: 31 })),
  monthAnchor: fc.option(fc.integer({ min: 1, max: 12 })),
  renewals: fc.integer({ min: 1, max: 14 }),
});

type Chain = typeof aChain extends fc.Arbitrary<infer T> ? T : never;

/** Returns the terms of a subscription that its decider starts and renews at each of its boundaries. */
function termsOf({ start, zone, duration, dayAnchor, monthAnchor, renewals }: Chain): Term[] {
  const pricing = aTermPricing({ zone, version: { duration, dayAnchor, monthAnchor } });
  const decide = (commandId: string, now: Instant, state: ReturnType<typeof termDecider.initial>) =>
    termDecider.decide({ type: 'CloseTerm', renewal: pricing, now, commandId }, state)[0]!;
  const terms: Term[] = [];
  let [event] = termDecider.decide(
    {
      type: 'StartSubscription',
      request: aStartRequest({ start, pricing }),
      now: start,
      commandId: COMMAND_ID,
    },
    undefined,
  );
  for (let n = 0; event?.type === 'SubscriptionStarted'; n++) {
    const { term } = event.data;
    terms.push(term);
    if (n === renewals) break;
    const renewed = decide(derivedId(COMMAND_ID, String(n)), term.end, termDecider.evolve(undefined, event));
    if (renewed.type !== 'SubscriptionRenewed') throw new Error('it renews');
    const origin = { kind: 'created' } as const;
    event = { type: 'SubscriptionStarted', data: { term: renewed.data.successor, origin } };
  }
  return terms;
}

const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 };

describe('a subscription that renews', () => {
  it('tiles time: each term begins where the one before ended, and none is empty', () => {
    fc.assert(
      fc.property(aChain, (chain) => {
        const terms = termsOf(chain);
        expect(terms).toHaveLength(chain.renewals + 1);
        terms.forEach((term, n) => {
          expect(term.start < term.end).toBe(true);
          expect(term.start).toBe(n === 0 ? chain.start : terms[n - 1]!.end);
          expect([term.isNew, term.scheduledEnd]).toEqual([n === 0, true]);
        });
        expect(new Set(terms.map((term) => term.subscriptionId)).size).toBe(terms.length);
      }),
    );
  });

  it('every boundary is its anchor day, clamped to the month, at the start of the local day', () => {
    fc.assert(
      fc.property(aChain, (chain) => {
        for (const { end, basis } of termsOf(chain)) {
          const date = localDateOf(end, chain.zone);
          expect(end).toBe(startOfLocalDay(date, chain.zone));
          const anchored = clampedDate(monthNumber(date), basis.anchor.day);
          expect(dayNumber(date)).toBe(dayNumber(anchored));
        }
      }),
    );
  });

  it('boundaries are whole durations apart, counted in months from the first one', () => {
    fc.assert(
      fc.property(aChain, (chain) => {
        const months = termsOf(chain).map(({ end }) => monthNumber(localDateOf(end, chain.zone)));
        months.forEach((month, n) => expect(month - months[0]!).toBe(n * MONTHS[chain.duration]));
      }),
    );
  });
});
