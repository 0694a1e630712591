import { describe, expect, it } from '@jest/globals';
import { accountDecider as rules } from '../../src/billing/decider/domain/account.js';
import { dueSnapshot } from '../../src/billing/accounts/domain/account-state.js';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { instant } from '../../src/kernel/instant.js';
import type { Cancellation } from '../../src/subscription/domain/term-state.js';
import { WEEK, aCharge, aComponent, aContent, aTerm, perUnit } from '../support/builders/billing.js';
import { PureAccount } from '../support/pure-account.js';

const shown = ({ lines }: ComputedInvoice) => lines.map(({ name, amount }) => [name, amount.amount]);
const due = (book: PureAccount) => [...book.state.invoices.values()].map(({ costDue }) => costDue);

/** Returns the term as cancelled at an instant and invoiced at once. */
function cancelled(runTerm: RunTerm, at: string, flatFee: Cancellation['flatFee'] = null): RunTerm {
  const end = instant(at);
  return {
    ...runTerm,
    term: { ...runTerm.term, end, scheduledEnd: false, autoRenew: false },
    endedBy: 'cancelled',
    cancelled: { flatFee, usage: 'bill_full', invoicing: 'invoice_now', billedAt: end },
    revision: '1',
  };
}

function pay(book: PureAccount, { invoiceId }: ComputedInvoice, at: string): void {
  const changes = { status: 'paid' as const };
  const command = { type: 'ChangePayment' as const, invoiceId, currency: 'USD', changes };
  book.happened(...rules.decide({ ...command, now: instant(at), commandId: invoiceId }, book.state));
}

const aFee = (name: string, amount: string, start: string) =>
  aTerm(aContent({ recurringCharges: [aCharge({ amount })] }), { name, start });

/**
 * Returns a component that is invoiced weekly: 1.00 per call up to this many calls, 0.10 per call above
 * (volume prices).
 */
const callsBy = (many: string) => [
  aComponent({
    volume: true,
    tiers: [perUnit('1.00', '0', many), perUnit('0.10', many)],
    invoicingInterval: WEEK,
  }),
];

/**
 * Bills a fee of 31.00, which stays unpaid, and refunds it after a week with 20 calls at 1.00. The reversal
 * pays the 20.00 of these calls, and the remaining 11.00 reduce the first invoice.
 */
function feeForCalls() {
  const fee = aFee('fee', '31.00', '2026-01-01');
  const calls = aTerm(aContent({ components: callsBy('20') }), { name: 'calls' });
  const book = new PureAccount([fee, calls], [{ at: '2026-01-02T00:00:00.000000Z', n: '20' }]);
  const first = book.bill('2026-01-01')!;
  book.terms = [cancelled(fee, '2026-01-08T00:30:00Z', 'refund'), calls];
  const second = book.bill('2026-01-08T00:30:00Z')!;
  book.usage.push({ at: '2026-01-09T00:00:00.000000Z', n: '10' });
  return { book, first, second };
}

describe('netting: a reversed charge that paid others (docs/billing.md#negative-totals)', () => {
  it('of an unpaid charge makes no credit: less is due on the invoice of that charge', () => {
    const { book, second } = feeForCalls();
    expect(shown(second)).toEqual([
      ['fee', '-3100'],
      ['calls', '2000'],
      ['Applied to 260101-000001', '1100'],
    ]);
    expect(due(book)).toEqual([2000n, 0n]);
    const third = book.bill('2026-01-15T00:30:00Z')!;
    expect(shown(third)).toEqual([
      ['calls', '-1700'],
      ['Applied to 260101-000001', '1700'],
    ]);
    expect(due(book)).toEqual([300n, 0n, 0n]);
    expect(book.state.credits.size).toBe(0);
  });

  it('becomes a credit once the invoice of that charge is paid', () => {
    const { book, first } = feeForCalls();
    pay(book, first, '2026-01-10');
    expect(book.state.nettings).toEqual([]);
    expect(shown(book.bill('2026-01-15T00:30:00Z')!)).toEqual([
      ['calls', '-1700'],
      ['Granted Credit', '1700'],
    ]);
  });

  it('first reduces the invoices that billed the same, then the others', () => {
    const fee = aFee('fee', '5.00', '2026-01-01');
    const calls = aTerm(aContent({ components: callsBy('20') }), { name: 'calls' });
    const book = new PureAccount([fee, calls], [{ at: '2026-01-02T00:00:00.000000Z', n: '20' }]);
    book.run('2026-01-01');
    book.terms = [cancelled(fee, '2026-01-08T00:30:00Z', 'refund'), calls];
    expect(shown(book.bill('2026-01-08T00:30:00Z')!)).toEqual([
      ['fee', '-500'],
      ['calls', '2000'],
    ]);
    expect(due(book)).toEqual([500n, 1500n]);
    book.usage.push({ at: '2026-01-09T00:00:00.000000Z', n: '10' });
    expect(shown(book.bill('2026-01-15T00:30:00Z')!)).toEqual([
      ['calls', '-1700'],
      ['Applied to 260101-000002', '1500'],
      ['Applied to 260101-000001', '200'],
    ]);
  });

  it('may be what was still due on another invoice that it reduced', () => {
    const calls = aTerm(aContent({ components: callsBy('150') }), { name: 'calls' });
    const book = new PureAccount(
      [calls],
      [
        { at: '2026-01-02T00:00:00.000000Z', n: '100' },
        { at: '2026-01-09T00:00:00.000000Z', n: '20' },
        { at: '2026-01-16T00:00:00.000000Z', n: '40' },
      ],
    );
    book.run('2026-01-08T00:30:00Z');
    const fee = aFee('fee', '30.00', '2026-01-15T00:30:00Z');
    book.terms = [calls, fee];
    book.run('2026-01-15T00:30:00Z');
    expect(due(book)).toEqual([10_000n, 4_998n]);
    // All 160 calls now cost 16.00. The reversal of unpaid calls also pays the fee of the second invoice.
    book.run('2026-01-22T00:30:00Z');
    expect(due(book)).toEqual([4_598n, 0n, 0n]);
    book.terms = [calls, cancelled(fee, '2026-01-23T00:00:00Z', 'refund')];
    expect(shown(book.bill('2026-01-23T00:00:00Z')!)).toEqual([
      ['fee', '-2998'],
      ['Applied to 260101-000001', '2998'],
    ]);
    expect(due(book)).toEqual([1_600n, 0n, 0n, 0n]);
  });

  it('is undone by a void of the invoice, and done again by the next', () => {
    const fee = aFee('fee', '5.00', '2026-01-01');
    const calls = aTerm(aContent({ components: callsBy('20') }), { name: 'calls' });
    const book = new PureAccount([fee, calls], [{ at: '2026-01-02T00:00:00.000000Z', n: '20' }]);
    book.run('2026-01-01');
    book.terms = [cancelled(fee, '2026-01-08T00:30:00Z', 'refund'), calls];
    const { invoiceId } = book.bill('2026-01-08T00:30:00Z')!;
    expect(book.state.nettings).toMatchObject([{ invoiceId }]);
    book.void(invoiceId, '2026-01-09');
    expect(book.state.nettings).toEqual([]);
    const again = book.bill('2026-01-09')!;
    expect(book.state.nettings).toMatchObject([{ invoiceId: again.invoiceId }]);
  });

  it('after a void of its unpaid invoice waits until that is billed again', () => {
    const { book, first } = feeForCalls();
    book.void(first.invoiceId, '2026-01-10');
    book.run('2026-01-15T00:30:00Z');
    expect(due(book).reduce((a, b) => a + b)).toBe(300n);
    expect([...book.state.credits.values()].map(({ remaining }) => remaining)).toEqual([0n]);
  });

  it('is searched among all charges of a period whose price adjustment is reversed', () => {
    const priceAdjustment = {
      name: 'v',
      description: null,
      type: 'price_override',
      amount: '31.00',
    } as const;
    const recurringCharges = [aCharge({ resetInterval: WEEK, amount: '5.00' })];
    const term = aTerm(aContent({ recurringCharges, priceAdjustment }));
    const book = new PureAccount([term]);
    book.run('2026-01-01');
    expect(due(book)).toEqual([3_100n]);
    // The override costs 10.00 for ten days; the second week bears what the first was charged too much.
    book.terms = [cancelled(term, '2026-01-11T00:00:00Z')];
    const second = book.bill('2026-01-11')!;
    expect(second).toMatchObject({ grants: [], total: { amount: '0' } });
    expect(due(book)).toEqual([1_000n, 0n]);
  });

  it('is kept in a snapshot, and read from that event alone', () => {
    const { book } = feeForCalls();
    const data = dueSnapshot({ ...book.state, runsSinceSnapshot: 24 }, 'USD', [])!;
    expect(data.setOffs).toHaveLength(1);
    const read = JSON.parse(JSON.stringify(data)) as typeof data;
    book.happened({ type: 'AccountCarriedForward', data: read });
    book.run('2026-01-15T00:30:00Z');
    expect(due(book)).toEqual([300n, 0n]);
  });

  it('is dropped with the terms it was charged to', () => {
    const { book } = feeForCalls();
    book.run('2026-03-10');
    expect(book.state.billed.size).toBe(0);
    expect(book.state.nettings).toEqual([]);
  });
});
