import type { Invoice } from '../clients/typescript/src/index.js';

type Payable = Pick<Invoice, 'issue_date' | 'payment_status' | 'amount'> & {
  readonly customer: Pick<Invoice['customer'], 'customer_id'>;
};

const orderOf = ({ customer, issue_date: issued, amount }: Payable): string =>
  JSON.stringify([customer.customer_id, issued, amount]);

/**
 * Chooses three in four invoices, the same in every run: their numbers follow the order in which accounts were
 * billed, which differs.
 */
export const toPay = <One extends Payable>(invoices: readonly One[]): One[] =>
  invoices
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    .filter(({ payment_status: status }, index) => index % 4 !== 0 && status === 'unpaid');
