import type { Customer } from '../../../clients/typescript/src/index.js';
import type { CsvColumn } from './csv.js';

type Debtor = Pick<Customer, 'amounts_due' | 'default_currency'>;

interface AmountDue {
  readonly code: string;
  readonly amount: number;
}

/** Lists what a customer owes, its own currency first; a customer who owes nothing owes 0 in its own. */
export function amountsDueOf({ amounts_due: due, default_currency: { code: own } }: Debtor): AmountDue[] {
  const amounts = due.map(({ currency: { code }, amount }) => ({ code, amount }));
  const ownFirst = amounts.toSorted(
    (a, b) => Number(b.code === own) - Number(a.code === own) || a.code.localeCompare(b.code),
  );
  return ownFirst.length === 0 ? [{ code: own, amount: 0 }] : ownFirst;
}

/** Lists the currencies of a customer: its own, then those of its invoices. */
export const currenciesOf = (customer: Debtor & Pick<Customer, 'invoices'>): readonly string[] => [
  ...new Set([
    customer.default_currency.code,
    ...amountsDueOf(customer).map(({ code }) => code),
    ...customer.invoices.map(({ currency: { code } }) => code),
  ]),
];

/** Returns a column for each currency that the customers owe amounts in. */
export function dueColumnsOf(customers: readonly Debtor[]): CsvColumn<Debtor>[] {
  const codes = new Set(customers.flatMap((one) => amountsDueOf(one).map(({ code }) => code)));
  return [...codes].toSorted().map((code) => ({
    header: `Amount due in ${code}`,
    value: (customer) => amountsDueOf(customer).find((one) => one.code === code)?.amount ?? null,
  }));
}
