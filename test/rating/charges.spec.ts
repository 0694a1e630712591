import { describe, expect, it } from '@jest/globals';
import { fixedCharge, usageCharge } from '../../src/billing/rating/charges.js';
import { prorationFactor } from '../../src/pricing/proration.js';
import { scheduleOf } from '../../src/billing/rating/schedule.js';
import type { ScheduledItem } from '../../src/billing/rating/schedule.js';
import type { PriceContent } from '../../src/pricing/price-content.js';
import { MINUTE, instant } from '../../src/kernel/instant.js';
import { fromExact, toDecimal } from '../../src/kernel/money.js';
import { exactDecimalText, ratio, readExactText } from '../../src/kernel/quantity.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import {
  DAY,
  MONTH,
  WEEK,
  YEAR,
  aCharge,
  aComponent,
  aContent,
  aTerm,
  freeUpTo,
  perUnit,
} from '../support/builders/billing.js';
import type { TermChanges } from '../support/builders/billing.js';
import { switchedInto } from '../support/builders/switched-terms.js';

const CANCELLED = { usage: 'bill_full', invoicing: 'invoice_now' } as const;
const LATER = instant('2040-01-01');
const itemsOf = (term: RunTerm): readonly ScheduledItem[] => scheduleOf(term, LATER, 30n * MINUTE).due;
const amounts = (term: RunTerm) =>
  itemsOf(term).map((item) => toDecimal(fromExact(fixedCharge(item, term).exact, 'USD')));
const fees = (charge: Parameters<typeof aCharge>[0], term: TermChanges) =>
  amounts(aTerm(aContent({ recurringCharges: [aCharge(charge)] }), term));

const QUARTER = { unit: 'month', count: 3 } as const;

describe('a prorated fee is its share of the full period (docs/billing.md#proration)', () => {
  it.each<[string, string, TermChanges, string]>([
    ['a whole month', '31.00', {}, '31.00'],
    ['monthly from 11 January, anchor 1', '31.00', { start: '2026-01-11', dayAnchor: 1 }, '21.00'],
    [
      'quarterly from 11 February, anchor 1',
      '31.00',
      { start: '2026-02-11', dayAnchor: 1, duration: QUARTER },
      '27.52',
    ],
    ['a start at noon', '31.00', { start: '2026-01-01T12:00:00Z', dayAnchor: 1 }, '30.50'],
    ['exactly one interval from its anchor', '31.00', { start: '2026-01-31' }, '31.00'],
    ['14 of 28 days', '8.99', { start: '2026-02-15', dayAnchor: 1 }, '4.50'],
    ['21 of 30 days', '6.95', { start: '2026-06-10', dayAnchor: 1 }, '4.87'],
    ['39 of 366 days', '5.49', { start: '2024-11-23', dayAnchor: 1, monthAnchor: 1, duration: YEAR }, '0.59'],
    [
      '23 of 92 days',
      '9.50',
      { start: '2026-09-08', dayAnchor: 1, monthAnchor: 1, duration: QUARTER },
      '2.38',
    ],
    ['29 of 31 days by an anchor of 31', '599.95', { start: '2012-03-02', dayAnchor: 31 }, '561.24'],
    ['one of 29 days by an anchor of 3', '599.95', { start: '2012-03-02', dayAnchor: 3 }, '20.69'],
    ['an earlier end', '31.00', { end: '2026-01-22' }, '21.00'],
  ])('%s', (_, amount, term, expected) => {
    expect(fees({ amount }, term)).toEqual([expected]);
  });

  it('a full fee is the amount, however short the period', () => {
    expect(fees({ behavior: 'full' }, { start: '2026-01-31', dayAnchor: 1 })).toEqual(['30.00']);
  });

  it('a fee with a reset interval is owed once per window, the cut one in part', () => {
    expect(fees({ amount: '10.00', resetInterval: WEEK }, {})).toEqual([
      '10.00',
      '10.00',
      '10.00',
      '10.00',
      '4.29',
    ]);
    expect(fees({ amount: '10.00', resetInterval: WEEK, behavior: 'full' }, {})).toEqual(
      Array(5).fill('10.00'),
    );
    expect(fees({ amount: '10.00', resetInterval: DAY }, {})).toEqual(Array(31).fill('10.00'));
    expect(fees({ amount: '12.00', resetInterval: MONTH }, { duration: YEAR })).toEqual(
      Array(12).fill('12.00'),
    );
  });

  it('a day of a change of the clocks has 23 or 25 hours', () => {
    const zone = 'Europe/Warsaw';
    const spring = { zone, start: '2026-03-29T11:00:00Z', dayAnchor: 29, end: '2026-03-29T22:00:00Z' };
    expect(fees({ amount: '743.00' }, spring)).toEqual(['11.00']);
  });
});

describe('day basis counts local dates', () => {
  const thirtyOne = aContent({ recurringCharges: [aCharge({ amount: '31' })] });
  const days = (changes: TermChanges) => {
    const term = aTerm(thirtyOne, { prorationBasis: 'day', ...changes });
    return exactDecimalText(fixedCharge(itemsOf(term)[0]!, term).exact);
  };

  it('the day of starting counts whole', () =>
    expect(days({ start: '2026-01-11T15:00:00Z', dayAnchor: 1 })).toBe('21'));

  it('the day of cancelling counts as used, also at its first instant', () => {
    expect(days({ end: '2026-01-11T15:00:00Z', endedBy: 'cancelled' })).toBe('11');
    expect(days({ end: '2026-01-11', endedBy: 'cancelled' })).toBe('11');
  });

  it('the day of switching belongs to the new plan', () =>
    expect(days({ end: '2026-01-11T15:00:00Z', endedBy: 'switched' })).toBe('10'));

  it('an end set inside a day uses that day, an end at midnight does not', () => {
    expect(days({ end: '2026-01-11T15:00:00Z' })).toBe('11');
    expect(days({ end: '2026-01-11' })).toBe('10');
  });

  it('a whole period is the whole price', () => expect(days({})).toBe('31'));

  it('a switched and its new plan share the period without a rest', () => {
    const { term } = aTerm(thirtyOne, { prorationBasis: 'day', end: '2026-01-11T15:00:00Z' });
    const full = { start: instant('2026-01-01'), end: instant('2026-02-01') };
    const old = prorationFactor({ start: term.start, end: term.end }, full, { term, endedBy: 'switched' });
    const rest = { ...term, start: term.end, end: full.end };
    const next = prorationFactor({ start: rest.start, end: rest.end }, full, { term: rest, endedBy: null });
    expect([old, next]).toEqual([ratio(10n, 31n), ratio(21n, 31n)]);
  });
});

describe('a fixed charge', () => {
  const halfOfJanuary = (content: PriceContent, changes: TermChanges = {}) => {
    const whole = aTerm(content, changes);
    const [first, start] = [whole.term.start, instant('2026-01-16T12:00:00Z')];
    const fees = [{ amount: '0.01', resetInterval: null, since: first }];
    return { ...whole, term: switchedInto(whole.term, start, { fees }) };
  };
  const chargeOf = (term: RunTerm, place = 0) => fixedCharge(itemsOf(term)[place]!, term);

  it('is exact until its one rounding', () => {
    const fee = aContent({ recurringCharges: [aCharge({ amount: '8.99' })] });
    const term = aTerm(fee, { start: '2026-02-15', dayAnchor: 1 });
    expect(exactDecimalText(chargeOf(term).exact)).toBe('4.495');
  });

  it('is a part of what was charged before where it is a prorated fee at the same price, and nothing else is', () => {
    const fee = aCharge({ amount: '0.01' });
    const tiers = [perUnit('0.01')];
    const prepaid = aComponent({ tiers, prepaid: { units: '1', behavior: 'prorate' } });
    const term = halfOfJanuary(aContent({ recurringCharges: [fee], components: [prepaid] }));
    const exactFees = [0, 1].map((place) => exactDecimalText(chargeOf(term, place).exact));
    expect(exactFees).toEqual(['0', '0.005']);
    const full = aContent({ recurringCharges: [aCharge({ amount: '0.01', behavior: 'full' })] });
    const { term: cut, ...rest } = halfOfJanuary(full, { endedBy: 'cancelled', end: '2026-01-24T06:00:00Z' });
    const cancelled = { ...CANCELLED, flatFee: 'charge_prorated', billedAt: cut.end } as const;
    expect(exactDecimalText(chargeOf({ ...rest, term: cut, cancelled }).exact)).toBe('0.0025');
  });

  it('in day basis of a plan that was switched away from on the day it began is 0, in full too', () => {
    const fee = aContent({ recurringCharges: [aCharge({ behavior: 'full' })] });
    const during = (from: string, to: string, endedBy: RunTerm['endedBy']) => {
      const term = aTerm(fee, { prorationBasis: 'day', end: to });
      const segment = { start: instant(from), end: instant(to) };
      const [item] = itemsOf(term);
      return exactDecimalText(fixedCharge({ ...item!, segment }, { ...term, endedBy }).exact);
    };
    const [morning, evening, next] = [
      '2026-01-05T08:00:00Z',
      '2026-01-05T20:00:00Z',
      '2026-01-06T08:00:00Z',
    ] as const;
    expect(during(morning, evening, 'switched')).toBe('0');
    expect(during(morning, next, 'switched')).toBe('30');
    expect(during(morning, evening, null)).toBe('30');
  });

  it('says of prepaid units which share they are of, or which were held when', () => {
    const said = (behavior: 'prorate' | 'full', changes: readonly string[]) => {
      const prepaid = aComponent({ prepaid: { units: '20', behavior } });
      const term = aTerm(aContent({ components: [prepaid] }), { start: '2026-01-11', dayAnchor: 1 });
      const prepaidChanges = changes.map((at) => ({
        metricId: prepaid.metricId,
        unitsBefore: '20',
        units: '30',
        effectiveAt: instant(at),
        invoiceNow: true,
      }));
      const { fraction, held } = fixedCharge(itemsOf(term)[0]!, { ...term, prepaidChanges });
      return { fraction, held: held?.map(({ units }) => exactDecimalText(units)) };
    };
    expect(said('prorate', [])).toEqual({ fraction: ratio(21n, 31n) });
    expect(said('full', [])).toEqual({ fraction: null });
    expect(said('prorate', ['2026-01-20'])).toEqual({ fraction: null, held: ['20', '30'] });
    expect(said('full', ['2026-01-20'])).toEqual({ fraction: null, held: ['20', '30'] });
  });
});

const usageItem = (term: RunTerm): ScheduledItem =>
  itemsOf(term).find(({ source }) => source.kind === 'usage')!;

describe('usage', () => {
  const component = aComponent({ tiers: [freeUpTo('10'), perUnit('1.00', '10')] });
  const cost = (units: string, prepaid?: { units: string; behavior: 'prorate' | 'full' }) => {
    const priced = { ...component, prepaid: prepaid ?? null };
    const term = aTerm(aContent({ components: [priced] }));
    return exactDecimalText(usageCharge(priced, readExactText(units), usageItem(term), term).exact);
  };

  it('is rated by the tiers of its component', () => {
    expect([cost('5'), cost('10'), cost('15'), cost('15.5')]).toEqual(['0', '0', '5', '5.5']);
  });

  it('without prepaid units costs all of its tiers, also what is due at 0 (docs/billing.md#tiers)', () => {
    const entry = { ...freeUpTo('10'), type: 'flat', costPerBatch: '2.00' } as const;
    const priced = aComponent({ tiers: [entry, perUnit('1.00', '10')] });
    const term = aTerm(aContent({ components: [priced] }));
    const { exact } = usageCharge(priced, readExactText('15'), usageItem(term), term);
    expect(exactDecimalText(exact)).toBe('7');
  });

  it('is an exact quantity, also where the decimal does not end', () => {
    expect(readExactText('16/3')).toEqual(ratio(16n, 3n));
    expect(readExactText('-2.50')).toEqual(ratio(-5n, 2n));
    expect(cost('43/4')).toBe('0.75');
  });

  it('below 0 is rated as 0', () => expect(cost('-7')).toBe('0'));

  it('above prepaid units costs what it costs beyond them, and never less than 0', () => {
    expect(cost('35', { units: '20', behavior: 'full' })).toBe('15');
    expect(cost('35', { units: '20', behavior: 'prorate' })).toBe('15');
    expect(cost('12', { units: '20', behavior: 'full' })).toBe('0');
  });
});

describe('prepaid units (docs/billing.md#prepaid-units)', () => {
  const prepaid = (behavior: 'prorate' | 'full', changes: TermChanges = {}, units: string | null = '20') => {
    const component = aComponent({
      tiers: [freeUpTo('10'), perUnit('1.00', '10')],
      prepaid: { units, behavior },
    });
    const runTerm = aTerm(aContent({ components: [component] }), changes);
    const bought = units === null ? [{ metricId: component.metricId, units: '30' }] : undefined;
    const term = { ...runTerm, term: { ...runTerm.term, ...(bought ? { prepaidUnits: bought } : {}) } };
    const [item] = itemsOf(term);
    const charge = fixedCharge(item!, term);
    return [item!.billingType, exactDecimalText(charge.quantity), exactDecimalText(charge.exact)];
  };

  it('cost at the start of the window what the tiers make of them', () =>
    expect(prepaid('full')).toEqual(['in_advance', '20', '10']));

  it('are prorated where the charge is', () =>
    expect(prepaid('prorate', { start: '2026-06-16', dayAnchor: 1 })).toEqual(['in_advance', '20', '5']));

  it('are the units of the term before the default of the plan', () =>
    expect(prepaid('full', {}, null)).toEqual(['in_advance', '30', '20']));
});
