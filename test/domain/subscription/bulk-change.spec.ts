import { describe, expect, it } from '@jest/globals';
import type { Customer } from '../../../src/customer/domain/customer-state.js';
import { bulkChangeDecider, fromStoredChange } from '../../../src/subscription/domain/bulk-change.js';
import { COMMAND_ID, given, NOW } from '../../support/given-when-then.js';

const customerKey = '7d9c2c3e-6e0c-5b7a-8a53-0d0f7a4b1c11';
const customer: Customer = {
  customerKey,
  sealed: 'v1.first',
  currency: 'EUR',
  taxRate: '23',
  timezone: 'Europe/Warsaw',
  country: 'PL',
  paymentProvider: null,
  deletedAt: null,
  erasedAt: null,
};
const changes = { turnOffAutoRenew: true } as const;
const change = { type: 'ChangeTerm', changes } as const;
const stored = { kind: 'change', changes } as const;

describe('a bulk change', () => {
  it('a change of several subscriptions is accepted as one', () => {
    given(bulkChangeDecider)
      .when({ type: 'AcceptBulkChange', customer, subscriptionIds: [COMMAND_ID], change })
      .then({
        type: 'BulkChangeAccepted',
        data: { customerKey, subscriptionIds: [COMMAND_ID], change: stored },
      });
  });

  it('has the plan that its subscriptions were selected by', () => {
    const matches = { subscriptionIds: [COMMAND_ID], planId: customerKey };
    given(bulkChangeDecider)
      .when({ type: 'AcceptBulkChange', customer, ...matches, change })
      .then({ type: 'BulkChangeAccepted', data: { customerKey, ...matches, change: stored } });
  });

  it('of every type is stored by its kind, and read back', () => {
    const terms = { flatFee: null, usage: 'bill_full', invoicing: 'invoice_now' } as const;
    const cancelled = { kind: 'cancel', terms } as const;
    expect(fromStoredChange(stored)).toEqual(change);
    expect(fromStoredChange(cancelled)).toEqual({ type: 'CancelSubscription', terms });
    given(bulkChangeDecider)
      .when({
        type: 'AcceptBulkChange',
        customer,
        subscriptionIds: [],
        change: fromStoredChange(cancelled),
      })
      .then({ type: 'BulkChangeAccepted', data: { customerKey, subscriptionIds: [], change: cancelled } });
  });

  it('is refused for a customer that does not exist or was deleted', () => {
    for (const absent of [undefined, { ...customer, deletedAt: NOW }])
      given(bulkChangeDecider)
        .when({ type: 'AcceptBulkChange', customer: absent, subscriptionIds: [], change })
        .refuses('not_found');
  });
});
