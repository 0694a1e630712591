import { describe, expect, it } from '@jest/globals';
import { billingPeriodsOf, invoicingDatesOf, resetWindowsOf } from '../../../src/pricing/proration.js';
import { instant, type Instant } from '../../../src/kernel/instant.js';
import type { RenewalPricing } from '../../../src/subscription/domain/next-term.js';
import type { SubscriptionEvent, Term, TermAddon } from '../../../src/subscription/domain/events.js';
import { endOfRunningPeriod } from '../../../src/subscription/domain/term-periods.js';
import { termDecider } from '../../../src/subscription/domain/term-decider.js';
import { aPriceContent } from '../../support/builders/catalog.js';
import { aTermPricing, aTerm, started } from '../../support/builders/subscription.js';
import { given } from '../../support/given-when-then.js';
import { anAddon } from '../../support/builders/switched-terms.js';

const BERLIN = 'Europe/Berlin';
const MONTH = { unit: 'month', count: 1 } as const;
const WEEK = { unit: 'week', count: 1 } as const;
const content = aPriceContent({
  recurringCharges: [
    {
      name: 'fee',
      timing: 'in_advance',
      behavior: 'prorate',
      amount: '31.00',
      invoicingInterval: null,
      resetInterval: null,
    },
  ],
});
const inBerlin = (version: object = {}) =>
  aTerm({ start: instant('2025-12-31T23:00:00Z'), pricing: aTermPricing({ zone: BERLIN, version }) });

/** Returns the term that renews a term. */
function renewed(term: Term, renewal: RenewalPricing): Term {
  const [event] = given(termDecider, [started(term)])
    .when({ type: 'CloseTerm', renewal }, { now: term.end })
    .decided();
  return (event as Extract<SubscriptionEvent, { type: 'SubscriptionRenewed' }>).data.successor;
}

describe('a renewal in another zone (docs/billing.md#renewals)', () => {
  it.each<[string, string, string, Instant]>([
    ['west', 'America/Los_Angeles', '2026-03-01T08:00:00Z', instant('2026-04-01T07:00:00Z')],
    ['east', 'Asia/Tokyo', '2026-02-28T15:00:00Z', instant('2026-03-31T15:00:00Z')],
    ['as far as can be', 'Pacific/Kiritimati', '2026-02-28T10:00:00Z', instant('2026-03-31T10:00:00Z')],
  ])('%s goes to the boundary a whole month on, and is a full period', (_, zone, end, next) => {
    const moved = renewed(inBerlin(), aTermPricing({ zone }));
    expect(moved).toMatchObject({
      start: instant('2026-01-31T23:00:00Z'),
      end: instant(end),
      scheduledEnd: true,
    });
    const period = { start: moved.start, end: moved.end };
    expect(billingPeriodsOf(moved, moved.start)).toEqual([{ ...period, full: period, whole: period }]);
    expect(endOfRunningPeriod(moved, moved.start)).toBe(moved.end);
    const after = renewed(moved, aTermPricing({ zone }));
    expect(after).toMatchObject({ start: moved.end, end: next });
    expect(after.basis).not.toHaveProperty('firstFull');
  });

  it('counts windows and invoicing dates from the boundary beside it, and tiles the period', () => {
    for (const zone of ['America/Los_Angeles', 'Asia/Tokyo']) {
      const moved = renewed(
        inBerlin({ duration: 'yearly' }),
        aTermPricing({ zone, version: { duration: 'yearly' } }),
      );
      const [period] = billingPeriodsOf(moved, moved.start);
      const windows = resetWindowsOf(period!, MONTH, moved).map(({ window }) => window);
      expect(windows).toHaveLength(12);
      expect(windows[0]!.start).toBe(moved.start);
      windows.slice(1).forEach(({ start }, place) => expect(start).toBe(windows[place]!.end));
      expect(windows.at(-1)!.end).toBe(moved.end);
      expect(invoicingDatesOf(moved, MONTH, moved.end)).toEqual(windows.slice(0, -1).map(({ end }) => end));
    }
  });

  it.each([
    ['West', 'America/Los_Angeles', '2026-01-15T08:00:00Z', '2026-01-22T08:00:00Z'],
    ['East', 'Asia/Tokyo', '2026-01-14T15:00:00Z', '2026-01-21T15:00:00Z'],
  ])('keeps the dates of weeks, also when the zone changes again: %s', (_, zone, end, next) => {
    const weekly = {
      ...content,
      recurringCharges: [{ ...content.recurringCharges[0]!, resetInterval: WEEK }],
    };
    const version = { content: weekly, duration: null };
    const term = aTerm({ start: instant('2026-01-01'), pricing: aTermPricing({ version }) });
    const moved = renewed(term, aTermPricing({ zone, version }));
    expect(moved).toMatchObject({ start: instant('2026-01-08'), end: instant(end) });
    expect(moved.basis.anchor).toEqual({ ...term.basis.anchor, firstZone: 'UTC' });
    const after = renewed(moved, aTermPricing({ zone, version }));
    expect(after).toMatchObject({ start: moved.end, end: instant(next) });
    expect(renewed(after, aTermPricing({ version }))).toMatchObject({ end: instant('2026-01-29') });
  });

  it('passes its first full period on to a renewal within it, and not to one after it', () => {
    const zone = 'America/Los_Angeles';
    const moved = renewed(inBerlin(), aTermPricing({ zone }));
    const cut = { ...moved, end: instant('2026-02-10T00:00:00Z') };
    const after = renewed(cut, aTermPricing({ zone }));
    expect(after).toMatchObject({ start: cut.end, end: moved.end });
    expect(after.basis.firstFull).toEqual(moved.basis.firstFull);
    expect(renewed(after, aTermPricing({ zone })).basis).not.toHaveProperty('firstFull');
    const later = { ...moved, end: instant('2026-03-10T00:00:00Z') };
    expect(renewed(later, aTermPricing({ zone })).basis).not.toHaveProperty('firstFull');
    expect(renewed(cut, aTermPricing({ zone: BERLIN })).basis).not.toHaveProperty('firstFull');
  });

  it('begins no full period where the end was set inside one', () => {
    const cut = { ...inBerlin(), end: instant('2026-01-20T00:00:00Z') };
    const moved = renewed(cut, aTermPricing({ zone: 'Asia/Tokyo' }));
    expect(moved.end).toBe(instant('2026-01-31T15:00:00Z'));
    expect(moved.basis).not.toHaveProperty('firstFull');
  });
});

describe('a renewal after an end that was set inside a period (docs/billing.md#cumulative-rounding)', () => {
  const end = instant('2026-01-11T00:00:00Z');
  const cut = { ...aTerm({ pricing: aTermPricing({ version: { content } }) }), end };
  const same = { ...aTermPricing({ version: { content } }), former: content };

  it('continues the cumulative rounding of its fees', () => {
    const { basis } = renewed(cut, same);
    expect(basis.continues).toEqual({
      termStart: end,
      periodStart: end,
      billedAt: end,
      fees: [{ amount: '31.00', resetInterval: null, since: cut.start }],
      adjustment: null,
      usage: [],
    });
  });

  it('also over several such ends, from the first of them', () => {
    const again = { ...renewed(cut, same), end: instant('2026-01-21T00:00:00Z') };
    expect(renewed(again, same).basis.continues?.fees).toEqual([
      { amount: '31.00', resetInterval: null, since: cut.start },
    ]);
  });

  it('counts days from the next one, where the term was charged for the day of its end, or from there, if by seconds', () => {
    const inDay = instant('2026-01-20T12:00:00Z');
    const daysFrom = (term: Term, renewal: RenewalPricing = same) => renewed(term, renewal).basis.daysFrom;
    const ending = (at: Instant, prorationBasis: 'day' | 'second' = 'day') => ({
      ...cut,
      end: at,
      basis: { ...cut.basis, prorationBasis },
    });
    expect(daysFrom(ending(inDay))).toBe(instant('2026-01-21T00:00:00Z'));
    expect(daysFrom(ending(inDay), { ...same, zone: BERLIN })).toBe(instant('2026-01-20T23:00:00Z'));
    expect(daysFrom(ending(inDay, 'second'))).toBeUndefined();
    const byDays = { ...same, prorationBasis: 'day' } as const;
    expect(daysFrom(ending(inDay, 'second'), byDays)).toBe(inDay);
    expect(daysFrom(ending(end, 'second'), byDays)).toBeUndefined();
    // In another time zone the renewal continues no period: it has one of its own.
    expect(daysFrom(ending(inDay, 'second'), { ...byDays, zone: BERLIN })).toBeUndefined();
    expect(daysFrom(ending(end))).toBeUndefined();
    const midnightInBerlin = instant('2026-01-19T23:00:00Z');
    expect(daysFrom(ending(midnightInBerlin), { ...same, zone: BERLIN })).toBeUndefined();
  });

  it('continues the cumulative rounding of its add-ons, from their start or that of the period', () => {
    const at = (date: string) => instant(`2026-01-${date}T00:00:00Z`);
    const since = (addon: Partial<TermAddon>, term = cut, renewal: RenewalPricing = same) =>
      renewed({ ...term, addons: [anAddon(at('03'), addon)] }, renewal).addons![0]!.chargedSince;
    expect(since({})).toBe(at('03'));
    expect(since({ start: instant('2025-12-20T00:00:00Z') })).toBe(cut.start);
    expect(since({ start: at('05'), chargedSince: at('02') })).toBe(at('02'));
    expect(since({ daysFrom: at('04') })).toBe(at('04'));
    expect(since({}, aTerm({ pricing: aTermPricing({ version: { content } }) }))).toBeUndefined();
    expect(since({ chargedSince: at('02') }, cut, { ...same, zone: BERLIN })).toBeUndefined();
  });

  it('but not from a boundary on, in another zone, or by another duration', () => {
    const whole = aTerm({ pricing: aTermPricing({ version: { content } }) });
    expect(renewed(whole, same).basis).not.toHaveProperty('continues');
    expect(renewed(cut, { ...same, zone: BERLIN }).basis).not.toHaveProperty('continues');
    const yearly = { ...aTermPricing({ version: { content, duration: 'yearly' } }), former: content };
    expect(renewed(cut, yearly).basis).not.toHaveProperty('continues');
  });
});
