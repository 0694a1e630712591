import { describe, expect, it } from '@jest/globals';
import { requireWithinAmountLimits } from '../../src/billing/rating/invoice-lines.js';
import { fromExact } from '../../src/kernel/money.js';
import { quantity } from '../../src/kernel/quantity.js';
import { refusalOf } from '../support/given-when-then.js';

const check = (text: string, currency: string) =>
  requireWithinAmountLimits(fromExact(quantity(text), currency), currency);

describe('an amount that can be invoiced (docs/contract.md#limits)', () => {
  it.each([
    ['USD', '9999999999.99'],
    ['JPY', '9999999999'],
    ['KWD', '9999999999.999'],
  ])('lies strictly between −10^10 and 10^10: %s %s', (currency, most) => {
    for (const within of [most, `-${most}`, '0']) expect(() => check(within, currency)).not.toThrow();
    for (const outside of ['10000000000', '-10000000000']) {
      expect(refusalOf(() => check(outside, currency)).code).toBe('amount_out_of_range');
    }
  });

  it('is named where it cannot', () => {
    expect(refusalOf(() => check('-12345678901.5', 'USD')).message).toContain(
      'An amount of -12345678901.50 USD cannot be invoiced.',
    );
  });
});
