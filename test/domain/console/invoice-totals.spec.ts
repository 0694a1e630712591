import { describe, expect, it } from '@jest/globals';
import type { InvoiceLineItem } from '../../../clients/typescript/src/index.js';
import { shownAmount, totalsOf } from '../../../console/src/pages/invoices/invoice-totals.js';
import { sumExactly } from '../../../console/src/shared/exact-sum.js';

type Kind = InvoiceLineItem['adjustments'][number]['adjustment_type'];

const adjustment = (adjustment_type: Kind, amount: number) => ({
  ...{ adjustment_type, amount: String(amount), account: '1' },
});
const sold = (subtotal: number, tax: number, rate: string | null) => ({
  rate,
  line: {
    subtotal,
    amount: sumExactly([subtotal, tax]),
    adjustments: tax === 0 ? [] : [adjustment('sales_tax', tax)],
  },
});
const drawn = (amount: number) => ({
  rate: null,
  line: { subtotal: 0, amount, adjustments: [adjustment('credit', amount)] },
});

const LINES = [sold(49, 9.8, '20'), sold(40, 8, '20'), sold(0.3, 0.02, '7'), sold(5, 0, '0'), drawn(-12.1)];
const lines = LINES.map(({ line }) => line);
const rates = LINES.map(({ rate }) => rate);

describe('the lines and totals of an invoice', () => {
  it('are before tax, as on the PDF, with what a credit pays', () => {
    expect(lines.map(shownAmount)).toEqual([49, 40, 0.3, 5, -12.1]);
  });

  it('have the tax of each rate and what it is taken of', () => {
    expect(totalsOf(lines, rates)).toEqual({
      subtotal: 94.3,
      taxes: [
        { rate: '0', on: 5, tax: 0 },
        { rate: '7', on: 0.3, tax: 0.02 },
        { rate: '20', on: 89, tax: 17.8 },
      ],
    });
  });

  it('have one sum of taxes until the rates are known', () => {
    expect(totalsOf(lines)).toEqual({ subtotal: 94.3, taxes: [{ rate: null, on: 89.3, tax: 17.82 }] });
  });

  it('add up to the amount of the invoice', () => {
    const { subtotal, taxes } = totalsOf(lines, rates);
    const shown = [subtotal, ...taxes.map(({ tax }) => tax), shownAmount(lines.at(-1)!)];
    expect(sumExactly(shown)).toBe(sumExactly(lines.map(({ amount }) => amount)));
  });

  it('have no tax where no line has any', () => {
    expect(totalsOf([sold(5, 0, '0').line], ['0'])).toEqual({ subtotal: 5, taxes: [] });
  });
});
