import { describe, expect, it } from '@jest/globals';
import { toPay } from '../../demo/payments.js';

const invoice = (number: string, customer: string, amount: number) => ({
  invoice_number: number,
  amount,
  issue_date: '2026-05-01T00:00:00Z',
  payment_status: 'unpaid' as const,
  customer: { customer_id: customer },
});

/** Builds invoices of one day. Their numbers vary between runs, as several accounts are billed at a time. */
const numbered = (numbers: readonly string[]) =>
  ['a', 'b', 'c', 'd', 'e'].map((customer, index) => invoice(numbers[index]!, customer, index + 1));

describe('payments of the demo', () => {
  it('pay the same amounts whatever numbers the invoices got', () => {
    const amounts = (numbers: readonly string[]) =>
      toPay(numbered(numbers).toReversed()).map(({ amount }) => amount);
    expect(amounts(['1', '2', '3', '4', '5'])).toEqual([2, 3, 4]);
    expect(amounts(['5', '3', '1', '2', '4'])).toEqual([2, 3, 4]);
  });

  it('leave out what is paid already, and pay nothing else instead', () => {
    const [first, second, ...others] = numbered(['1', '2', '3', '4', '5']);
    const again = toPay([first!, { ...second!, payment_status: 'paid' as const }, ...others]);
    expect(again.map(({ amount }) => amount)).toEqual([3, 4]);
  });
});
