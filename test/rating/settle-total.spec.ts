import { describe, expect, it } from '@jest/globals';
import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import type { ComputedInvoice, CreditGrant } from '../../src/billing/accounts/domain/event-data.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import { verifyInvoice } from '../../src/billing/rating/verify.js';
import { derivedId, namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import {
  CUSTOMER,
  NO_TAX,
  aCharge,
  aComponent,
  aContent,
  aTerm,
  perUnit,
} from '../support/builders/billing.js';
import { refusalOf } from '../support/given-when-then.js';
import { PureAccount } from '../support/pure-account.js';

const usd = (amount: string) => ({ amount, currency: 'USD', scale: 2 });
const aCredit = (name: string, amount: string, changes: Partial<CreditGrant> = {}): AccountEvent => ({
  type: 'CreditGranted',
  data: {
    creditId: namedId(name),
    customerKey: CUSTOMER,
    currency: 'USD',
    amount: usd(amount),
    description: null,
    effectiveAt: instant('2026-01-01'),
    expiresAt: null,
    grantedAt: instant('2026-01-01'),
    purchase: null,
    ...changes,
  },
});
const shown = ({ lines }: ComputedInvoice) => lines.map(({ name, amount }) => [name, amount.amount]);

describe('credits on an invoice', () => {
  const content = aContent({
    recurringCharges: [aCharge({ amount: '100.00' })],
    priceAdjustment: { name: 'less', description: null, type: 'percentage', amount: '-10' },
  });
  const ledger = () =>
    new PureAccount([aTerm(content)], [], {
      organization: { settings: { ...NO_TAX, taxRate: '10' }, revision: '0' },
    });

  it('come after adjustment and tax: 100.00 − 10 %, tax 10 %, credit 5.00 is 94.00', () => {
    const account = ledger();
    account.happened(aCredit('five', '500'));
    const invoice = account.bill('2026-01-01')!;
    expect(invoice).toMatchObject({ total: usd('9400'), costDue: usd('9400') });
    expect(invoice.lines[1]).toMatchObject({
      name: 'Applied Credit',
      chargeKey: 'credits',
      explanation: { rule: 'credit_drawdown' },
      subscriptionId: null,
      plan: null,
      filters: null,
      quantity: null,
      base: usd('0'),
      adjustments: [{ amount: usd('-500'), type: 'credit' }],
      subtotal: usd('-500'),
      amount: usd('-500'),
      localDates: invoice.lines[0]!.localDates,
    });
    expect(account.state.credits.get(namedId('five'))).toMatchObject({
      remaining: 0n,
      drawdowns: [{ invoiceId: invoice.invoiceId, amount: usd('500') }],
    });
  });

  it('draw no more than the total, over as many credits as it takes, and pay an invoice of 0', () => {
    const account = ledger();
    account.happened(
      aCredit('never', '9000'),
      aCredit('soon', '1000', { expiresAt: instant('2026-02-01') }),
      aCredit('not needed', '500'),
    );
    const invoice = account.bill('2026-01-01')!;
    expect(invoice.drawdowns).toEqual([
      { creditId: namedId('soon'), amount: usd('1000') },
      { creditId: namedId('never'), amount: usd('8900') },
    ]);
    expect(invoice).toMatchObject({ total: usd('0'), costDue: usd('0') });
    expect(account.state.invoices.get(invoice.invoiceId)!.status).toBe('paid');
    expect(account.state.credits.get(namedId('never'))!.remaining).toBe(100n);
  });

  it('that have expired or are not effective at its date are not drawn', () => {
    const account = ledger();
    account.happened(
      aCredit('over', '500', { expiresAt: instant('2026-01-01') }),
      aCredit('later', '500', { effectiveAt: instant('2026-01-02') }),
    );
    expect(account.bill('2026-01-01')).toMatchObject({ total: usd('9900'), drawdowns: [] });
  });

  it('are a part of its result, which a recomputation finds again', () => {
    const account = ledger();
    account.happened(aCredit('five', '500'));
    const data = account.data('2026-01-01');
    const invoice = account.bill('2026-01-01')!;
    expect(verifyInvoice(invoice, computeInvoice(data, []))).toMatchObject({ ok: true });
    const other = { ...invoice, drawdowns: [{ creditId: namedId('five'), amount: usd('400') }] };
    expect(verifyInvoice(other, computeInvoice(data, [])).differences).toHaveLength(1);
  });
});

/** Volume prices: 60 calls are billed at 1.00, then more calls lower the price of all of them. */
describe('a negative total', () => {
  const week = { unit: 'week', count: 1 } as const;
  const tiers = [perUnit('1.00', '0', '100'), perUnit('0.10', '100')];
  const component = aComponent({ tiers, volume: true, invoicingInterval: week });
  const weekly = () =>
    new PureAccount(
      [aTerm(aContent({ components: [component] }))],
      [
        { at: '2026-01-05T00:00:00.000000Z', n: '60' },
        { at: '2026-01-12T00:00:00.000000Z', n: '100' },
      ],
    );
  const ledger = () => {
    const account = weekly();
    return { account, first: account.bill('2026-01-08T00:30:00Z')! };
  };
  const pay = (account: PureAccount, invoiceId: string, amount: string) =>
    account.happened({
      type: 'InvoicePaid',
      data: { invoiceId, amount: usd(amount), paidAt: instant('2026-01-09') },
    });

  it('reduces the unpaid invoice that billed the same, whose amount stays', () => {
    const { account, first } = ledger();
    const second = account.bill('2026-01-15T00:30:00Z')!;
    expect(shown(second)).toEqual([
      ['calls', '-4400'],
      ['Applied to 260101-000001', '4400'],
    ]);
    expect(second).toMatchObject({
      total: usd('0'),
      reductions: [{ invoiceId: first.invoiceId, amount: usd('4400') }],
      grants: [],
    });
    expect(second.lines[1]).toMatchObject({
      chargeKey: `invoices/${first.invoiceId}`,
      explanation: { rule: 'invoice_reduction' },
    });
    expect(account.state.invoices.get(first.invoiceId)).toMatchObject({ status: 'unpaid', costDue: 1600n });
    expect(account.state.invoices.get(second.invoiceId)!.status).toBe('paid');
  });

  it('is a credit without expiry where the reversed charge was paid', () => {
    const { account, first } = ledger();
    pay(account, first.invoiceId, '6000');
    const second = account.bill('2026-01-15T00:30:00Z')!;
    expect(shown(second)).toEqual([
      ['calls', '-4400'],
      ['Granted Credit', '4400'],
    ]);
    const creditId = derivedId(second.runId, 'granted credit');
    expect(second.lines[1]).toMatchObject({
      chargeKey: `credits/${creditId}`,
      explanation: { rule: 'credit_grant' },
    });
    expect([...account.state.credits.values()]).toMatchObject([
      { creditId, remaining: 4400n, expiresAt: null, purchase: null, effectiveAt: second.issuedAt },
    ]);
  });

  it('takes first what is still to be paid, and grants the rest', () => {
    const account = weekly();
    account.happened(aCredit('forty', '4000'));
    const first = account.bill('2026-01-08T00:30:00Z')!;
    expect(first.costDue).toEqual(usd('2000'));
    const second = account.bill('2026-01-15T00:30:00Z')!;
    expect(second).toMatchObject({
      reductions: [{ amount: usd('2000') }],
      grants: [{ amount: usd('2400') }],
      total: usd('0'),
    });
    expect(account.state.invoices.get(first.invoiceId)!.status).toBe('paid');
  });

  it('reduces the newest invoice of the reversed charge, and no further one when that is enough', () => {
    const account = new PureAccount(
      [aTerm(aContent({ components: [component] }))],
      weekly().usage.slice(0, 1),
    );
    const first = account.bill('2026-01-08T00:30:00Z')!;
    account.usage.push({ at: instant('2026-01-09'), n: '30' });
    const second = account.bill('2026-01-15T00:30:00Z')!;
    account.usage.push({ at: instant('2026-01-16'), n: '-20' });
    const third = account.bill('2026-01-22T00:30:00Z')!;
    expect(third.reductions).toEqual([{ invoiceId: second.invoiceId, amount: usd('2000') }]);
    // All 200 calls now cost 0.10 each: 20.00 instead of 70.00.
    account.usage.push({ at: instant('2026-01-23'), n: '130' });
    expect(account.bill('2026-01-29T00:30:00Z')!.reductions).toEqual([
      { invoiceId: second.invoiceId, amount: usd('1000') },
      { invoiceId: first.invoiceId, amount: usd('4000') },
    ]);
  });

  it('waits while the invoice that it reduces has no number yet', () => {
    const { account } = ledger();
    const unnumbered = weekly();
    unnumbered.happened(...account.log.filter(({ type }) => type !== 'InvoiceIssued'));
    const run = () => unnumbered.bill('2026-01-15T00:30:00Z');
    expect(refusalOf(run).code).toBe('conflict');
    expect(run).toThrow('An invoice of the account is being issued. Try again.');
  });

  it('leaves unpaid invoices of other charges alone', () => {
    const { account, first } = ledger();
    pay(account, first.invoiceId, '6000');
    account.terms.push(
      aTerm(aContent({ recurringCharges: [aCharge()] }), { name: 'other', start: '2026-01-09' }),
    );
    const other = account.bill('2026-01-09')!;
    const second = account.bill('2026-01-15T00:30:00Z')!;
    expect(second).toMatchObject({ reductions: [], grants: [{ amount: usd('4400') }] });
    expect(account.state.invoices.get(other.invoiceId)!.status).toBe('unpaid');
  });
});
