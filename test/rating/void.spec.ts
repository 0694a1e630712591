import { describe, expect, it } from '@jest/globals';
import type { ComputedInvoice } from '../../src/billing/accounts/domain/event-data.js';
import { initialAccount } from '../../src/billing/accounts/domain/account-state.js';
import type { RunSettings } from '../../src/billing/rating/run.js';
import { instant } from '../../src/kernel/instant.js';
import { money, toDecimal, toStored } from '../../src/kernel/money.js';
import { CUSTOMER, NO_TAX, WEEK, aCharge, aComponent, aContent, aTerm } from '../support/builders/billing.js';
import { refusalOf } from '../support/given-when-then.js';
import { PureAccount, type Used } from '../support/pure-account.js';

const content = aContent({ recurringCharges: [aCharge()], components: [aComponent()] });
const usage: Used[] = [
  { at: '2026-01-05T12:00:00.000000Z', n: '100' },
  { at: '2026-01-20T12:00:00.000000Z', n: '7' },
];
const taxed = (taxRate: string | null): { organization: { settings: RunSettings; revision: string } } => ({
  organization: { settings: { ...NO_TAX, taxRate }, revision: '0' },
});

/** Returns the fields of each line that the customer pays for. */
const sold = ({ lines }: ComputedInvoice) =>
  lines.map(({ name, chargeKey, base, amount, quantity, adjustments, period, billingType }) => ({
    name,
    chargeKey,
    base,
    amount,
    quantity,
    adjustments,
    period,
    billingType,
  }));

describe('a voided invoice', () => {
  it('is billed again by the next run, with the same lines and once', () => {
    const account = new PureAccount([aTerm(content)], usage);
    account.run('2026-01-01');
    const invoice = account.bill('2026-02-01T00:30:00Z')!;
    account.void(invoice.invoiceId, '2026-02-02');
    const again = account.bill('2026-02-03')!;
    expect(sold(again)).toEqual(sold(invoice));
    expect(account.preview('2026-02-03')).toMatchObject({ type: 'NothingDue', closedPeriods: [] });
  });

  it('brings its zero lines again', () => {
    const account = new PureAccount([aTerm(content)]);
    account.run('2026-01-01');
    const zero = aContent({
      recurringCharges: [aCharge({ timing: 'in_arrears' })],
      components: [aComponent()],
    });
    const other = new PureAccount([aTerm(zero)]);
    const invoice = other.bill('2026-02-01T00:30:00Z')!;
    expect(invoice.lines).toHaveLength(2);
    other.void(invoice.invoiceId, '2026-02-02');
    expect(sold(other.bill('2026-02-02')!)).toEqual(sold(invoice));
  });

  it('comes back after its term was settled, and the term is settled again', () => {
    const account = new PureAccount([aTerm(content)], usage);
    account.run('2026-01-01');
    const invoice = account.bill('2026-02-01T00:30:00Z')!;
    account.run('2026-03-10');
    expect(account.state.settled.size).toBe(1);
    account.void(invoice.invoiceId, '2026-03-11');
    expect(account.state.settled.size).toBe(0);
    expect([...account.state.terms.values()]).toMatchObject([{ nextDueAt: instant('2026-03-11T01:00:00Z') }]);
    const again = account.bill('2026-03-11T01:00:00Z')!;
    expect(sold(again)).toEqual(sold(invoice));
    expect(account.state.settled.size).toBe(1);
    expect(account.preview('2026-03-12')).toMatchObject({ type: 'NothingDue', closedPeriods: [] });
  });

  it('of a settled term keeps its other counts: counted usage gets no second count and no line', () => {
    const account = new PureAccount([aTerm(content)], usage);
    const fee = account.bill('2026-01-01')!;
    account.run('2026-02-01T00:30:00Z');
    account.run('2026-03-10');
    account.void(fee.invoiceId, '2026-03-11');
    const again = account.run('2026-03-11T01:00:00Z');
    expect(again).toMatchObject({ closedPeriods: [], invoice: { lines: [{ name: 'fee' }] } });
  });

  it('of a settled term brings its late usage as such, with the tax rate of its window', () => {
    const account = new PureAccount([aTerm(content)], usage, taxed('10'));
    const fee = account.bill('2026-01-01')!;
    account.run('2026-02-01T00:30:00Z');
    account.run('2026-03-10');
    account.void(fee.invoiceId, '2026-03-11');
    const late = { at: '2026-01-25T12:00:00.000000Z', n: '3' };
    const later = new PureAccount([aTerm(content)], [...usage, late], taxed('25'));
    later.happened(...account.log);
    const counted = account.log.findLast((event) => event.type === 'UsagePeriodClosed')!;
    const again = later.run('2026-03-11T01:00:00Z');
    expect(again).toMatchObject({
      closedPeriods: [{ quantity: '110', supersedes: counted.data.closeId }],
      invoice: {
        lines: [
          { name: 'fee', explanation: { taxRate: '10' } },
          {
            name: 'calls (late usage, 2026-01-01 to 2026-01-31)',
            quantity: '3',
            amount: { amount: '330' },
            explanation: { taxRate: '10' },
          },
        ],
      },
    });
  });

  it('of a settled term brings back its counts, and no other field of the account', () => {
    const account = new PureAccount([aTerm(content)], usage);
    const fee = account.bill('2026-01-01')!;
    account.run('2026-02-01T00:30:00Z');
    const before = account.state.counts;
    account.run('2026-03-10');
    account.void(fee.invoiceId, '2026-03-11');
    expect(account.state.counts).toEqual(before);
    expect(Object.keys(account.state).sort()).toEqual(Object.keys(initialAccount()).sort());
  });

  it('of a part of a window is billed again beside what the later part charged', () => {
    const weekly = aContent({ components: [aComponent({ invoicingInterval: { unit: 'week', count: 2 } })] });
    const account = new PureAccount([aTerm(weekly)], usage);
    const first = account.bill('2026-01-15T00:30:00Z')!;
    const second = account.bill('2026-01-29T00:30:00Z')!;
    expect([first, second].map(({ total }) => total.amount)).toEqual(['10000', '700']);
    account.void(first.invoiceId, '2026-01-30');
    const again = account.bill('2026-02-01T00:30:00Z')!;
    expect(again.lines).toMatchObject([
      { quantity: '100', base: { amount: '10000' }, period: { start: instant('2026-01-01') } },
    ]);
    account.void(again.invoiceId, '2026-02-02');
    account.void(second.invoiceId, '2026-02-02');
    expect(account.bill('2026-02-02')!.lines).toMatchObject([{ quantity: '107', base: { amount: '10700' } }]);
  });

  it('keeps the tax it was billed with; what was never billed is taxed as of today', () => {
    const account = new PureAccount([aTerm(content)], usage, taxed('10'));
    const fee = account.bill('2026-01-01')!;
    account.void(fee.invoiceId, '2026-01-31');
    const later = new PureAccount([aTerm(content)], usage, taxed('25'));
    later.happened(...account.log);
    const again = later.bill('2026-02-01T00:30:00Z')!;
    expect(again.lines.map(({ amount }) => amount.amount)).toEqual(['3300', '13375']);
    expect(again.lines.map(({ explanation }) => explanation.taxRate)).toEqual(['10', '25']);
  });

  it('restores its drawdowns, and what reduced it becomes a credit', () => {
    const term = aTerm(aContent({ recurringCharges: [aCharge()] }));
    const account = new PureAccount([term]);
    const credit = {
      creditId: CUSTOMER,
      customerKey: CUSTOMER,
      currency: 'USD',
      amount: toStored(money(500n, 'USD')),
      description: null,
      effectiveAt: instant('2026-01-01'),
      expiresAt: null,
      grantedAt: instant('2026-01-01'),
      purchase: null,
    };
    account.happened({ type: 'CreditGranted', data: credit });
    const invoice = account.bill('2026-01-01')!;
    expect(invoice.costDue.amount).toBe('2500');
    const end = instant('2026-01-11');
    const cancelled = { flatFee: null, usage: 'bill_full', invoicing: 'invoice_now', billedAt: end } as const;
    account.terms = [
      { ...term, term: { ...term.term, end }, endedBy: 'cancelled', cancelled, revision: '1' },
    ];
    const reduction = account.bill('2026-01-11')!;
    expect(reduction.reductions).toMatchObject([{ amount: { amount: '2032' } }]);
    expect(account.state.invoices.get(invoice.invoiceId)!.costDue).toBe(468n);

    account.void(invoice.invoiceId, '2026-01-12');
    expect([...account.state.credits.values()].map(({ remaining }) => remaining)).toEqual([500n, 2032n]);
    const again = account.bill('2026-01-12')!;
    expect(toDecimal(money(BigInt(again.costDue.amount), 'USD'))).toBe('4.68');
    expect([...account.state.credits.values()].map(({ remaining }) => remaining)).toEqual([0n, 0n]);
  });

  it('is due with the next boundary of its account', () => {
    const account = new PureAccount([
      aTerm(content),
      aTerm(aContent({ components: [aComponent({ invoicingInterval: WEEK })] }), { name: 'other' }),
    ]);
    const invoice = account.bill('2026-01-01')!;
    account.void(invoice.invoiceId, '2026-01-02');
    expect(
      [...account.state.terms.values()].map(({ nextDueAt, nextDueGraced }) => [nextDueAt, nextDueGraced]),
    ).toEqual([
      [instant('2026-01-08'), true],
      [instant('2026-01-08'), true],
    ]);
  });

  it('waits for the end of a running term of which nothing else falls due there', () => {
    const account = new PureAccount([aTerm(aContent({ recurringCharges: [aCharge()] }))]);
    const invoice = account.bill('2026-01-01')!;
    expect([...account.state.terms.values()]).toMatchObject([{ nextDueAt: null }]);
    account.void(invoice.invoiceId, '2026-01-02');
    expect([...account.state.terms.values()]).toMatchObject([
      { nextDueAt: instant('2026-02-01'), nextDueGraced: true },
    ]);
  });

  it('of a term without a length that was to be charged in full is billed again', () => {
    const term = aTerm(aContent({ recurringCharges: [aCharge()] }));
    const account = new PureAccount([term]);
    const invoice = account.bill('2026-01-01')!;
    const end = instant('2026-01-01');
    const settled = { flatFee: 'charge_full', usage: 'bill_full', invoicing: 'invoice_now' } as const;
    const cancelled = { ...settled, billedAt: end };
    account.terms = [
      { ...term, term: { ...term.term, end }, endedBy: 'cancelled', cancelled, revision: '1' },
    ];
    expect(account.bill('2026-01-01')).toBeUndefined();
    account.void(invoice.invoiceId, '2026-01-02');
    const again = account.bill('2026-01-02')!;
    expect(again).toMatchObject({ total: invoice.total });
    // First and last are the day that the term begins and ends on, not the day before.
    expect(again.lines.map(({ localDates }) => localDates)).toEqual([
      { first: '2026-01-01', last: '2026-01-01' },
    ]);
  });

  it('cannot be voided again; nor can a paid one', () => {
    const account = new PureAccount([aTerm(content)], usage);
    const fee = account.bill('2026-01-01')!;
    const paid = { invoiceId: fee.invoiceId, amount: fee.costDue, paidAt: instant('2026-01-02') };
    account.happened({ type: 'InvoicePaid', data: paid });
    expect(refusalOf(() => account.void(fee.invoiceId, '2026-01-03')).code).toBe('invalid_state');
    const second = account.bill('2026-02-01T00:30:00Z')!;
    account.void(second.invoiceId, '2026-02-02');
    expect(refusalOf(() => account.void(second.invoiceId, '2026-02-03')).code).toBe('invalid_state');
  });
});
