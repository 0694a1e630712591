import { describe, it } from '@jest/globals';
import type { Customer } from '../../../src/customer/domain/customer-state.js';
import { bulkChanges } from '../../../src/subscription/domain/bulk-change.js';
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
const change = { kind: 'change', changes: { turnOffAutoRenew: true } } as const;

describe('a bulk change', () => {
  it('a change of several subscriptions is accepted as one', () => {
    given(bulkChanges)
      .when({ type: 'AcceptBulkChange', customer, subscriptionIds: [COMMAND_ID], change })
      .then({ type: 'BulkChangeAccepted', data: { customerKey, subscriptionIds: [COMMAND_ID], change } });
  });

  it('is refused for a customer that does not exist or was deleted', () => {
    for (const absent of [undefined, { ...customer, deletedAt: NOW }])
      given(bulkChanges)
        .when({ type: 'AcceptBulkChange', customer: absent, subscriptionIds: [], change })
        .refuses('not_found');
  });
});
