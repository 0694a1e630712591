import { describe, expect, it } from '@jest/globals';
import { purchaseInvoice } from '../../src/billing/rating/purchase-invoice.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { NO_TAX, aRun } from '../support/builders/billing.js';
import { refusalOf } from '../support/given-when-then.js';

const NIGHT = instant('2026-01-05T23:30:00Z');
const usd = (amount: string) => ({ amount, currency: 'USD', scale: 2 });
const sold = (amount: string, changes: Parameters<typeof aRun>[2] = {}) =>
  purchaseInvoice(
    { creditId: namedId('a credit') },
    { invoiceId: namedId('its invoice'), amountPaid: usd(amount), zone: 'Asia/Tokyo' },
    aRun([], NIGHT, changes),
  );

describe('the invoice by which a credit is sold (docs/billing.md#credits)', () => {
  it('is its price and nothing else, on the local day of the customer', () => {
    const settings = { ...NO_TAX, taxRate: '20', paymentGraceDays: 14 };
    const invoice = sold('4500', { organization: { settings, revision: '3' } });
    expect(invoice).toMatchObject({
      total: usd('4500'),
      costDue: usd('4500'),
      drawdowns: [],
      grants: [],
      reductions: [],
      terms: [],
      issuedAt: NIGHT,
      dueAt: instant('2026-01-19T23:30:00Z'),
      inputs: { terms: [], closeIds: [], organizationRevision: '3' },
    });
    expect(invoice.lines).toEqual([
      {
        adjustments: [],
        amount: usd('4500'),
        base: usd('4500'),
        billingType: 'one_time',
        chargeKey: `credits/${namedId('a credit')}`,
        explanation: { rule: 'credit_purchase' },
        filters: null,
        localDates: { first: '2026-01-06', last: '2026-01-06' },
        name: 'Credit purchase',
        period: { end: NIGHT, start: NIGHT },
        plan: null,
        quantity: null,
        scheduledEnd: false,
        subscriptionId: null,
        subtotal: usd('4500'),
      },
    ]);
  });

  it('is due at no date where the organization says none', () => expect(sold('4500').dueAt).toBeNull());

  it('is refused where its price cannot be invoiced', () => {
    expect(refusalOf(() => sold('1000000000000')).code).toBe('amount_out_of_range');
  });
});
