import { describe, expect, it } from '@jest/globals';
import { accountDecider } from '../../../src/billing/decider/domain/account.js';
import type { AccountEvent } from '../../../src/billing/accounts/domain/events.js';
import type { ExternalPayment } from '../../../src/billing/accounts/domain/event-data.js';
import type { PaymentChanges } from '../../../src/billing/invoices/domain/payment-decisions.js';
import { aCharge, aContent, aTerm } from '../../support/builders/billing.js';
import { NOW, given } from '../../support/given-when-then.js';
import { PureAccount } from '../../support/pure-account.js';

const invoice = new PureAccount([aTerm(aContent({ recurringCharges: [aCharge()] }))]).bill('2026-01-01')!;
const { invoiceId, issuedAt, currency } = invoice;
const computed: AccountEvent = { type: 'InvoiceComputed', data: invoice };
const issued: AccountEvent = {
  type: 'InvoiceIssued',
  data: { invoiceId, number: '260101-000001', issuedAt },
};
const paid: AccountEvent = {
  type: 'InvoicePaid',
  data: { invoiceId, amount: { amount: '3000', currency, scale: 2 }, paidAt: NOW },
};
const linked = (payment: ExternalPayment): AccountEvent => ({
  type: 'PaymentLinked',
  data: { invoiceId, payment },
});
const change = (changes: PaymentChanges) =>
  ({ type: 'ChangePayment', invoiceId, currency, changes }) as const;

describe('the payment of an invoice', () => {
  it('is what was still to be paid, recorded once', () => {
    given(accountDecider, [computed, issued])
      .when(change({ status: 'paid' }))
      .then(paid);
    given(accountDecider, [computed, issued, paid])
      .when(change({ status: 'paid' }))
      .nothing();
    const state = [computed, issued, paid].reduce(accountDecider.evolve, accountDecider.initial());
    expect(state.invoices.get(invoiceId)).toMatchObject({ status: 'paid', costDue: 0n });
  });

  it('does not go back', () => {
    given(accountDecider, [computed, issued, paid])
      .when(change({ status: 'unpaid' }))
      .refuses('invalid_state');
    given(accountDecider, [computed, issued])
      .when(change({ status: 'unpaid' }))
      .nothing();
  });

  it('of an invoice without a number is refused', () => {
    given(accountDecider, [computed])
      .when(change({ status: 'paid' }))
      .refuses('invalid_state');
  });

  it('links to the payment provider, field by field, also when it is paid', () => {
    given(accountDecider, [computed, issued])
      .when(change({ payment: { id: 'in_1', type: 'provider_a' } }))
      .then(linked({ id: 'in_1', type: 'provider_a', status: null }));
    given(accountDecider, [computed, issued, paid, linked({ id: 'in_1', type: 'provider_a', status: null })])
      .when(change({ payment: { id: null, type: 'provider_a' } }))
      .then(linked({ id: null, type: 'provider_a', status: null }));
    given(accountDecider, [computed, issued])
      .when(change({ payment: { id: null } }))
      .nothing();
  });
});
