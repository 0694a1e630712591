import { describe, expect, it } from '@jest/globals';
import { taxRateOf, taxes, taxesByRate } from '../../src/billing/rating/tax.js';
import type { RunData } from '../../src/billing/rating/run.js';
import { fromExact, fromStored, toDecimal } from '../../src/kernel/money.js';
import { quantity } from '../../src/kernel/quantity.js';
import { NO_TAX, aCharge, aContent, aTerm } from '../support/builders/billing.js';
import { PureAccount } from '../support/pure-account.js';

const shares = (bases: readonly string[], rate: string | null, currency = 'USD') =>
  taxes(
    bases.map((base) => fromExact(quantity(base), currency)),
    rate,
    currency,
  ).map(toDecimal);

describe('tax (docs/billing.md#tax)', () => {
  it.each([
    ['30.00', '20', '6.00'],
    ['29.95', '3.34', '1.00'],
    ['75.00', '20', '15.00'],
    ['8.71', '25', '2.18'],
    ['100.00', '8.875', '8.88'],
    ['100.00', '999.9999', '1000.00'],
  ])('of %s at %s %% is %s', (base, rate, expected) => expect(shares([base], rate)).toEqual([expected]));

  it('is rounded once over the sum and shared by the largest remainder, ties to the earlier line', () => {
    expect(shares(['0.01', '0.01'], '40')).toEqual(['0.01', '0.00']);
    expect(shares(['0.05', '0.05', '0.05'], '10')).toEqual(['0.01', '0.01', '0.00']);
    expect(shares(['10.00', '20.00', '0.33'], '19')).toEqual(['1.90', '3.80', '0.06']);
  });

  it('a line of 0 has no tax', () => expect(shares(['0.00', '0.01'], '60')).toEqual(['0.00', '0.01']));

  it('a reversal is not in the sum and has its own tax', () => {
    expect(shares(['10.00', '-5.00'], '10')).toEqual(['1.00', '-0.50']);
    expect(shares(['-0.05'], '10')).toEqual(['-0.01']);
  });

  it('is summed up by rate: what keeps the rate it was charged with is apart', () => {
    const bases = ['0.05', '0.05', '0.05', '10.00'].map((base) => fromExact(quantity(base), 'USD'));
    expect(taxesByRate(bases, ['10', '20', '10', null], 'USD').map(toDecimal)).toEqual([
      '0.01',
      '0.01',
      '0.00',
      '0.00',
    ]);
  });

  it('is shared among the lines of its rate only', () => {
    const bases = ['0.05', '0.05'].map((base) => fromExact(quantity(base), 'USD'));
    expect(taxesByRate(bases, ['5', '10'], 'USD').map(toDecimal)).toEqual(['0.00', '0.01']);
  });

  it('without a rate, or at 0, there is none', () => {
    expect(shares(['10.00'], null)).toEqual(['0.00']);
    expect(shares(['10.00'], '0')).toEqual(['0.00']);
    expect(shares([], '10')).toEqual([]);
  });

  it('the rate is the customer’s if set, also 0, else the organization’s', () => {
    expect(taxRateOf({ taxRate: '20' }, { taxRate: '10' })).toBe('20');
    expect(taxRateOf({ taxRate: '0' }, { taxRate: '10' })).toBe('0');
    expect(taxRateOf({ taxRate: null }, { taxRate: '10' })).toBe('10');
    expect(taxRateOf({ taxRate: null }, { taxRate: null })).toBeNull();
  });
});

describe('tax on an invoice', () => {
  const organization = { settings: { ...NO_TAX, taxRate: '10' }, revision: '1' };
  const bill = (fees: readonly string[], changes: Partial<RunData>, adjustment: string | null = null) => {
    const content = aContent({
      recurringCharges: fees.map((amount) => aCharge({ name: `fee of ${amount}`, amount })),
      priceAdjustment: adjustment
        ? { name: 'less', description: null, type: 'fixed', amount: adjustment }
        : null,
    });
    return new PureAccount([aTerm(content)], [], { organization, ...changes }).bill('2026-01-01')!;
  };

  it('is an adjustment of its own under the account of sales tax', () => {
    const customer = { taxRate: '20', revision: '0' };
    const [line] = bill(['30.00'], { customer }).lines;
    expect(line!.adjustments).toEqual([
      { account: '41100', amount: { amount: '600', currency: 'USD', scale: 2 }, type: 'sales_tax' },
    ]);
    expect([line!.base, line!.subtotal, line!.amount].map((m) => toDecimal(fromStored(m)))).toEqual([
      '30.00',
      '30.00',
      '36.00',
    ]);
    expect(line!.explanation.taxRate).toBe('20');
  });

  it('is taken of the adjusted base', () => {
    const invoice = bill(['100.00'], {}, '-10');
    expect(toDecimal(fromStored(invoice.total))).toBe('99.00');
    expect(invoice.lines[0]!.adjustments.map(({ type }) => type)).toEqual(['plan_adjustment', 'sales_tax']);
  });

  it('sums with the lines to the total', () => {
    const invoice = bill(['0.33', '0.34', '0.35', '10.01'], {});
    expect(toDecimal(fromStored(invoice.total))).toBe('12.13');
    const amounts = invoice.lines.map(({ amount }) => BigInt(amount.amount));
    expect(amounts.reduce((a, b) => a + b)).toBe(BigInt(invoice.total.amount));
  });

  it('an exempt customer pays none', () => {
    const invoice = bill(['100.00'], { customer: { taxRate: '0', revision: '0' } });
    expect(invoice.lines[0]!.adjustments).toEqual([]);
    expect(toDecimal(fromStored(invoice.total))).toBe('100.00');
  });
});
