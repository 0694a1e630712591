import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AccountState } from '../../src/billing/accounts/domain/account-state.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import { closedWindows, usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { DAY, instant, plusMicros, type Instant } from '../../src/kernel/instant.js';
import { aCharge, aComponent, aContent, aTerm } from '../support/builders/billing.js';
import { PureAccount, countOf } from '../support/pure-account.js';

const content = aContent({
  recurringCharges: [aCharge()],
  components: [aComponent()],
  priceAdjustment: { name: 'off', description: null, type: 'fixed', amount: '-5' },
});
const MONTHS = 24;
const monthOf = (month: number): string => new Date(Date.UTC(2026, month, 1)).toISOString();
/** Terms of a subscription that renews every month. */
const terms = Array.from({ length: MONTHS }, (_, month) =>
  aTerm(content, { name: `term ${month}`, start: monthOf(month), end: monthOf(month + 1) }),
);
/** Returns the terms that have begun by a month's end. */
const begunBy = (month: number) => terms.slice(0, month + 2);
const after = (at: string): Instant => plusMicros(instant(at), DAY);

const unpaidOf = ({ invoices }: AccountState) =>
  [...invoices.values()].filter(({ status }) => status === 'unpaid');
const sizesOf = ({ log }: PureAccount): number[] =>
  log.flatMap((event) =>
    event.type === 'AccountCarriedForward' ? [JSON.stringify({ ...event.data, settled: [] }).length] : [],
  );

function runOn(book: PureAccount, state: AccountState, at: Instant) {
  const data = { ...book.data(at), account: state };
  const needs = [...usageNeeded(data), ...closedWindows(data).map(({ need }) => need)];
  return computeInvoice(
    data,
    needs.map((need) => countOf(need, book.usage)),
  );
}

describe('an account that nobody pays', () => {
  it('carries no more in its second year than in its first', () => {
    const book = new PureAccount(terms);
    for (let month = 0; month < MONTHS; month += 1) {
      book.terms = begunBy(month);
      book.usage.push({ at: monthOf(month).replace('.000', '.000000'), n: '10' });
      book.run(after(monthOf(month + 1)));
    }
    expect(unpaidOf(book.fullState)).toHaveLength(MONTHS);
    const sizes = sizesOf(book);
    expect(sizes).toHaveLength(3);
    expect(sizes[2]).toBeLessThan(sizes[1]! * 1.1);
    expect(book.state.invoices.size).toBeLessThan(8);
  });

  it('law: is billed as if its snapshots had dropped no unpaid invoice, also when a long past one is voided', () => {
    const acts = fc.array(
      fc.record({
        month: fc.integer({ min: 0, max: MONTHS - 1 }),
        act: fc.constantFrom('use', 'void'),
        n: fc.nat(900),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(acts, (given) => {
        const book = new PureAccount(terms);
        for (let month = 0; month < MONTHS; month += 1) {
          const at = after(monthOf(month + 1));
          book.terms = begunBy(month);
          for (const { act, n } of given.filter((one) => one.month === month)) {
            if (act === 'use')
              book.usage.push({ at: monthOf(month).replace('.000', '.000000'), n: String(n) });
            const unpaid = unpaidOf(book.fullState);
            if (act === 'void' && unpaid.length > 0) book.void(unpaid[n % unpaid.length]!.invoiceId, at);
          }
          expect(runOn(book, book.state, at)).toEqual(runOn(book, book.fullState, at));
          book.run(at);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('restores a long past invoice with the other unpaid ones of its term, when it is voided', () => {
    const book = new PureAccount(begunBy(-1));
    // The first month is on two invoices: its fee, and its usage with the fee of the next month.
    book.usage.push({ at: '2026-01-10T00:00:00.000000Z', n: '10' });
    const fee = book.bill('2026-01-01T01:00:00Z')!;
    book.terms = begunBy(0);
    const usage = book.bill('2026-02-02T00:00:00Z')!;
    for (let month = 1; month < 12; month += 1) {
      book.terms = begunBy(month);
      book.run(after(monthOf(month + 1)));
    }
    expect(book.state.invoices.has(fee.invoiceId)).toBe(false);
    expect(book.state.invoices.has(usage.invoiceId)).toBe(false);
    book.void(fee.invoiceId, '2027-01-10T00:00:00Z');
    const voided = book.log.findLast((event) => event.type === 'InvoiceVoided')!;
    expect(voided).toMatchObject({ data: { recalled: { invoices: [{ invoiceId: usage.invoiceId }] } } });
    expect(book.state.invoices.get(usage.invoiceId)).toEqual(book.fullState.invoices.get(usage.invoiceId));
    expect([...book.state.invoices.keys()][0]).toBe(usage.invoiceId);
  });
});
