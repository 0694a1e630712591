import { describe, expect, it } from '@jest/globals';
import type { Customer } from '../../../clients/typescript/src/index.js';
import { amountsDueOf, currenciesOf, dueColumnsOf } from '../../../console/src/shared/amounts-due.js';

const unit = (code: string) => ({ code, name: code, symbol: code });

/** A customer of US dollars that owes these amounts. */
const debtor = (...due: readonly (readonly [string, number])[]) => ({
  default_currency: unit('USD'),
  amounts_due: due.map(([code, amount]) => ({ currency: unit(code), amount })),
});

describe('amounts due of a customer', () => {
  it('are those of all currencies, the own one first', () => {
    expect(amountsDueOf(debtor(['EUR', 100], ['JPY', 9_000], ['USD', 50]))).toEqual([
      { code: 'USD', amount: 50 },
      { code: 'EUR', amount: 100 },
      { code: 'JPY', amount: 9_000 },
    ]);
    expect(amountsDueOf(debtor(['EUR', 100]))).toEqual([{ code: 'EUR', amount: 100 }]);
    expect(amountsDueOf(debtor())).toEqual([{ code: 'USD', amount: 0 }]);
  });

  it('name the currencies that a credit can be granted in', () => {
    const invoices = [{ currency: unit('JPY') }, { currency: unit('EUR') }] as Customer['invoices'];
    expect(currenciesOf({ ...debtor(['EUR', 100]), invoices })).toEqual(['USD', 'EUR', 'JPY']);
    expect(currenciesOf({ ...debtor(), invoices: [] })).toEqual(['USD']);
  });

  it('are exported in a column for each currency', () => {
    const customers = [debtor(['USD', 50], ['EUR', 100]), debtor(['JPY', 9_000]), debtor()];
    const columns = dueColumnsOf(customers);
    expect(columns.map(({ header }) => header)).toEqual([
      'Amount due in EUR',
      'Amount due in JPY',
      'Amount due in USD',
    ]);
    expect(customers.map((one) => columns.map(({ value }) => value(one)))).toEqual([
      [100, null, 50],
      [null, 9_000, null],
      [null, null, 0],
    ]);
  });
});
