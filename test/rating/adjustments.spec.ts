import { describe, expect, it } from '@jest/globals';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import type { PriceAdjustment, PriceContent } from '../../src/pricing/price-content.js';
import { instant } from '../../src/kernel/instant.js';
import { fromStored, toDecimal } from '../../src/kernel/money.js';
import {
  WEEK,
  aCharge,
  aComponent,
  aContent,
  aTerm,
  perUnit,
  type TermChanges,
} from '../support/builders/billing.js';
import { switchedInto } from '../support/builders/switched-terms.js';
import { PureAccount } from '../support/pure-account.js';

const adjusted = (type: PriceAdjustment['type'], amount: string): PriceAdjustment => ({
  name: 'adjustment',
  description: null,
  type,
  amount,
});

/** Returns a price content with one fee per amount and a price adjustment. */
const feesWith = (
  type: PriceAdjustment['type'],
  amount: string,
  fees: readonly string[],
  changes: Partial<PriceContent> = {},
) =>
  aContent({
    recurringCharges: fees.map((fee, n) => aCharge({ name: `fee ${n}`, amount: fee })),
    priceAdjustment: adjusted(type, amount),
    ...changes,
  });

const START = '2026-01-01T00:00:00Z';
const END = '2026-02-01T00:30:00Z';
const totalOf = (invoice: ComputedInvoice | undefined) => invoice && toDecimal(fromStored(invoice.total));
/** Returns each line as `base adjustments subtotal`. */
const linesOf = (invoice: ComputedInvoice | undefined) =>
  invoice?.lines.map(({ base, adjustments, subtotal }) =>
    [base, ...adjustments.map(({ amount }) => amount), subtotal]
      .map((m) => toDecimal(fromStored(m)))
      .join(' '),
  );
const billed = (content: PriceContent, changes: TermChanges = {}, asOf = START) =>
  new PureAccount([aTerm(content, changes)]).bill(asOf);

describe('a percentage', () => {
  it.each([
    ['-10', '30.00', 'USD', '30.00 -3.00 27.00'],
    ['10', '30.00', 'USD', '30.00 3.00 33.00'],
    ['-29', '0.50', 'USD', '0.50 -0.15 0.35'],
    ['-8.75', '3.60', 'USD', '3.60 -0.32 3.28'],
    ['-33.333', '1000', 'JPY', '1000 -333 667'],
  ])('%s %% is taken of the rounded base and rounded itself: of %s %s', (percent, fee, currency, line) => {
    expect(linesOf(billed(feesWith('percentage', percent, [fee], { currency })))).toEqual([line]);
  });

  it('applies to every line of every invoice', () => {
    const content = feesWith('percentage', '10', ['30.00'], { components: [aComponent()] });
    const account = new PureAccount([aTerm(content)], [{ at: instant('2026-01-05'), n: '10' }]);
    expect([totalOf(account.bill(START)), totalOf(account.bill(END))]).toEqual(['33.00', '11.00']);
  });

  it('makes an invoice of 0 that is issued, as its bases are not 0', () => {
    expect(linesOf(billed(feesWith('percentage', '-100', ['30.00'])))).toEqual(['30.00 -30.00 0.00']);
  });

  it('is booked under the account of plan adjustments', () => {
    const [line] = billed(feesWith('percentage', '-10', ['30.00']))!.lines;
    expect(line!.adjustments).toEqual([
      { account: '21000', amount: { amount: '-300', currency: 'USD', scale: 2 }, type: 'plan_adjustment' },
    ]);
  });
});

/** Returns two totals of January: 30.00 in advance and usage at the end, by default 10 units for 10.00. */
const throughJanuary = (type: PriceAdjustment['type'], amount: string, usage = '10') => {
  const content = feesWith(type, amount, ['30.00'], { components: [aComponent()] });
  const account = new PureAccount([aTerm(content)], [{ at: instant('2026-01-05'), n: usage }]);
  return [totalOf(account.bill(START)), totalOf(account.bill(END))];
};

describe('a fixed amount', () => {
  it('is given once per subscription and billing period', () =>
    expect(throughJanuary('fixed', '-4')).toEqual(['26.00', '10.00']));

  it('takes the total of the period to 0, not below, and the rest with what comes', () => {
    expect(throughJanuary('fixed', '-35')).toEqual(['0.00', '5.00']);
    expect(throughJanuary('fixed', '-100')).toEqual(['0.00', '0.00']);
  });

  it('can raise the price, once, and not where nothing is charged', () => {
    expect(throughJanuary('fixed', '5')).toEqual(['35.00', '10.00']);
    expect(billed(feesWith('fixed', '5', ['0']))).toBeUndefined();
  });

  it('goes to the lines in proportion to their base, by the largest remainder', () => {
    expect(linesOf(billed(feesWith('fixed', '-1.00', ['30.00', '30.00', '30.00'])))).toEqual([
      '30.00 -0.34 29.66',
      '30.00 -0.33 29.67',
      '30.00 -0.33 29.67',
    ]);
    expect(linesOf(billed(feesWith('fixed', '-10.00', ['75.00', '25.00'])))).toEqual([
      '75.00 -7.50 67.50',
      '25.00 -2.50 22.50',
    ]);
  });

  it('is prorated in a partial period', () => {
    const halfOfJune = { start: '2026-06-16', dayAnchor: 1 };
    const at = '2026-06-16T00:00:00Z';
    expect(totalOf(billed(feesWith('fixed', '-25.00', ['100.00']), halfOfJune, at))).toBe('37.50');
    expect(totalOf(billed(feesWith('fixed', '-50.00', ['1000.00']), halfOfJune, at))).toBe('475.00');
  });

  it('is given again in every billing period of a longer term, also where two are on one invoice', () => {
    const content = feesWith('fixed', '-4', ['30.00'], { components: [aComponent()] });
    const account = new PureAccount(
      [aTerm(content, { end: '2026-03-01' })],
      [{ at: instant('2026-01-05'), n: '10' }],
    );
    expect(totalOf(account.bill(START))).toBe('26.00');
    expect(linesOf(account.bill(END))).toEqual(['30.00 -4.00 26.00', '10.00 10.00']);
  });

  it('is not given where nothing is charged, also where a zero line is shown', () => {
    const unused = aContent({ components: [aComponent()], priceAdjustment: adjusted('fixed', '5') });
    const fee = aContent({ recurringCharges: [aCharge({ timing: 'in_arrears' })] });
    const account = new PureAccount([aTerm(unused, { name: 'a' }), aTerm(fee, { name: 'b' })]);
    expect(linesOf(account.bill(END))?.sort()).toEqual(['0.00 0.00', '30.00 30.00']);
  });

  it('of a period that a switch cut is the rest of what the plans before were given', () => {
    const content = feesWith('fixed', '-0.05', ['10.00']);
    const whole = aTerm(content, { end: '2026-02-15' });
    const [first, start] = [whole.term.start, instant('2026-01-16T12:00:00Z')];
    const adjustment = { type: 'fixed', amount: '-0.05', since: first };
    const account = new PureAccount([{ ...whole, term: switchedInto(whole.term, start, { adjustment }) }]);
    // The plan before was given −0.03, the rounded half; in the 14 days of February it was given nothing.
    expect(linesOf(account.bill(start))).toEqual(['5.00 -0.02 4.98']);
    expect(linesOf(account.bill('2026-02-01T00:30:00Z'))).toEqual(['5.00 -0.03 4.97']);
  });

  it('is given to each subscription', () => {
    const content = feesWith('fixed', '-4', ['30.00']);
    const account = new PureAccount([aTerm(content, { name: 'a' }), aTerm(content, { name: 'b' })]);
    expect(totalOf(account.bill(START))).toBe('52.00');
  });
});

describe('a price override', () => {
  it('is the price of the subscription in the period, in whatever order charges come', () =>
    expect(throughJanuary('price_override', '20')).toEqual(['20.00', '0.00']));

  it('raises what costs less', () => {
    expect(throughJanuary('price_override', '50')).toEqual(['50.00', '0.00']);
    expect(totalOf(billed(feesWith('price_override', '20', ['5.00'])))).toBe('20.00');
  });

  it('charges nothing where nothing was used', () => {
    const content = aContent({
      components: [aComponent()],
      priceAdjustment: adjusted('price_override', '20'),
    });
    expect(billed(content, {}, END)).toBeUndefined();
  });

  it('is prorated in a partial period', () => {
    const content = feesWith('price_override', '20', ['30.00']);
    expect(totalOf(billed(content, { start: '2026-06-16', dayAnchor: 1 }, '2026-06-16'))).toBe('10.00');
  });

  it('goes to the lines in proportion to their base', () => {
    expect(linesOf(billed(feesWith('price_override', '20', ['30.00', '10.00'])))).toEqual([
      '30.00 -15.00 15.00',
      '10.00 -5.00 5.00',
    ]);
  });

  it('holds on every invoicing date of the period', () => {
    const content = aContent({
      components: [aComponent({ invoicingInterval: WEEK })],
      priceAdjustment: adjusted('price_override', '20'),
    });
    const usage = ['05', '12', '30'].map((day) => ({ at: instant(`2026-01-${day}`), n: '15' }));
    const account = new PureAccount([aTerm(content)], usage);
    const dates = ['01-08', '01-15', '01-22', '02-01'].map((day) => `2026-${day}T00:30:00Z`);
    expect(dates.map((asOf) => totalOf(account.bill(asOf)))).toEqual(['20.00', '0.00', undefined, '0.00']);
  });

  it('is reversed in part by a reversal, where another line is charged', () => {
    const tiers = [perUnit('1.00', '0', '100'), perUnit('0.10', '100')];
    const content = feesWith('price_override', '40', ['30.00'], {
      recurringCharges: [aCharge({ amount: '70.00', timing: 'in_arrears' })],
      components: [aComponent({ tiers, volume: true, invoicingInterval: WEEK })],
    });
    const usage = [
      { at: instant('2026-01-05'), n: '60' },
      { at: instant('2026-01-30'), n: '60' },
    ];
    const account = new PureAccount([aTerm(content)], usage);
    expect(linesOf(account.bill('2026-01-08T00:30:00Z'))).toEqual(['60.00 -20.00 40.00']);
    expect(linesOf(account.bill(END))).toEqual(['70.00 -38.00 32.00', '-48.00 16.00 -32.00']);
  });

  it('goes to the reversals, in proportion, where no line is charged', () => {
    const tiers = [perUnit('1.00', '0', '100'), perUnit('0.10', '100')];
    const metered = (metricName: string) =>
      aComponent({ metricName, tiers, volume: true, invoicingInterval: WEEK });
    const components = ['calls', 'seats', 'unused'].map(metered);
    const [calls, seats] = components.map(({ metricId }) => metricId);
    const content = aContent({ components, priceAdjustment: adjusted('price_override', '40') });
    const account = new PureAccount(
      [aTerm(content)],
      [
        { at: instant('2026-01-05'), n: '60', metricId: calls! },
        { at: instant('2026-01-05'), n: '60', metricId: seats! },
        { at: instant('2026-01-30'), n: '60', metricId: calls! },
        { at: instant('2026-01-30'), n: '180', metricId: seats! },
      ],
    );
    expect(totalOf(account.bill('2026-01-08T00:30:00Z'))).toBe('40.00');
    expect(linesOf(account.bill(END))).toEqual(['-48.00 48.00 0.00', '-36.00 36.00 0.00', '0.00 0.00']);
  });
});
