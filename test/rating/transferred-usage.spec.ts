import { describe, expect, it } from '@jest/globals';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { instant } from '../../src/kernel/instant.js';
import { fromStored, toDecimal } from '../../src/kernel/money.js';
import { NO_TAX, WEEK, aCharge, aComponent, aContent, aTerm, perUnit } from '../support/builders/billing.js';
import { switchedInto } from '../support/builders/switched-terms.js';
import { PureAccount } from '../support/pure-account.js';

const [FIRST, TENTH] = [instant('2026-01-01'), instant('2026-01-10')];
const priced = (cost: string) =>
  aContent({
    components: [aComponent({ invoicingInterval: WEEK, tiers: [perUnit(cost)] })],
    priceAdjustment: { name: 'less', description: null, type: 'percentage', amount: '-10' },
  });
const { metricId } = aComponent();
const old = () => aTerm(priced('1.00'), { name: 'old' });

/** Returns two terms with a switch on the tenth that transfers the usage of the window. */
function switched(): readonly RunTerm[] {
  const next = aTerm(priced('2.00'), { name: 'next' });
  const successor = switchedInto(next.term, TENTH, { usage: [{ metricId, since: FIRST }] });
  const switching = {
    ...({ usage: 'transfer_to_new_subscription', invoicing: 'invoice_now', billedAt: TENTH } as const),
    periodEnd: old().term.end,
    moved: [metricId],
    successor,
  };
  return [
    { ...old(), term: { ...old().term, end: TENTH }, endedBy: 'switched', switched: switching },
    { ...next, term: successor },
  ];
}
const usage = [{ at: instant('2026-01-05'), n: '10' }];
const ledger = (taxRate = '10') =>
  new PureAccount([old()], usage, {
    organization: { settings: { ...NO_TAX, taxRate }, revision: '0' },
  });
const amounts = (account: PureAccount, asOf: string) =>
  account
    .bill(asOf)
    ?.lines.filter(({ subscriptionId }) => subscriptionId !== null)
    .map(({ base, subtotal, amount }) =>
      [base, subtotal, amount].map((m) => toDecimal(fromStored(m))).join(' '),
    );

describe('usage that a switch transfers (docs/billing.md#transferred-usage)', () => {
  it('is reversed where it was invoiced, with its amounts, and rated by the new plan from the window’s start', () => {
    const account = ledger();
    expect(amounts(account, '2026-01-08T00:30:00Z')).toEqual(['10.00 9.00 9.90']);
    account.terms = [...switched()];
    const given = account.preview(TENTH);
    const [line] = given.type === 'InvoiceComputed' ? given.invoice.lines : [];
    expect(line).toMatchObject({
      period: { start: FIRST, end: instant('2026-01-08') },
      quantity: '10',
      explanation: { rule: 'usage', taxRate: '10' },
    });
    expect(amounts(account, TENTH)).toEqual(['-10.00 -9.00 -9.90']);
    expect(amounts(account, '2026-01-11')).toBeUndefined();
    expect(amounts(account, '2026-01-15T00:30:00Z')).toEqual(['20.00 18.00 19.80']);
  });

  it('is reversed with each of the taxes that it was invoiced with', () => {
    const later = { at: instant('2026-01-09'), n: '5' };
    const first = ledger();
    expect(amounts(first, '2026-01-08T00:30:00Z')).toEqual(['10.00 9.00 9.90']);
    const second = ledger('20');
    second.happened(...first.log);
    second.usage = [...usage, later];
    expect(amounts(second, '2026-01-15T00:30:00Z')).toEqual(['5.00 4.50 5.40']);
    second.terms = [...switched()];
    const given = second.preview('2026-01-16');
    expect(given.type === 'InvoiceComputed' && given.invoice.lines.slice(0, 2)).toMatchObject([
      { quantity: '15', amount: { amount: '-540' }, explanation: { taxRate: '20' } },
      { quantity: '0', amount: { amount: '-990' }, explanation: { taxRate: '10' } },
    ]);
    expect(amounts(second, '2026-01-16')).toEqual([
      '-5.00 -4.50 -5.40',
      '-10.00 -9.00 -9.90',
      '30.00 27.00 32.40',
    ]);
  });

  it('nets to zero after the invoice it was reversed from is voided', () => {
    // The other subscription keeps a part of the invoice payable.
    const other = aTerm(aContent({ recurringCharges: [aCharge()] }), { name: 'other' });
    const account = ledger();
    account.terms = [old(), other];
    const { invoiceId, total } = account.bill('2026-01-08T00:30:00Z')!;
    expect(total.amount).toBe('4290');
    account.terms = [...switched(), other];
    expect(amounts(account, TENTH)).toEqual(['-10.00 -9.00 -9.90']);
    account.void(invoiceId, '2026-01-11');
    expect(amounts(account, '2026-01-11')).toEqual(['30.00 30.00 33.00', '10.00 9.00 9.90']);
    expect(amounts(account, '2026-01-12')).toBeUndefined();
    expect(amounts(account, '2026-01-15T00:30:00Z')).toEqual(['20.00 18.00 19.80']);
  });

  it('is not reversed where nothing of it was invoiced', () => {
    const account = ledger();
    account.terms = [...switched()];
    expect(amounts(account, TENTH)).toBeUndefined();
    expect(amounts(account, '2026-01-15T00:30:00Z')).toEqual(['20.00 18.00 19.80']);
  });
});
