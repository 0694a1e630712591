import { describe, it } from '@jest/globals';
import { customerDecider } from '../../../src/customer/domain/customer.js';
import type { CustomerEvent, CustomerProfile } from '../../../src/customer/domain/events.js';
import { COMMAND_ID, given, NOW } from '../../support/given-when-then.js';

const customerKey = '7d9c2c3e-6e0c-5b7a-8a53-0d0f7a4b1c11';
const profile: CustomerProfile = {
  sealed: 'v1.first',
  currency: 'EUR',
  taxRate: '23',
  timezone: 'Europe/Warsaw',
  country: 'PL',
  paymentProvider: null,
};
const registered: CustomerEvent = { type: 'CustomerRegistered', data: { customerKey, ...profile } };

describe('register a customer', () => {
  it('the first registration is what makes the customer', () => {
    given(customerDecider).when({ type: 'RegisterCustomer', customerKey, profile }).then(registered);
  });

  it('a customer_id is registered once', () => {
    given(customerDecider, [registered])
      .when({ type: 'RegisterCustomer', customerKey, profile: { ...profile, sealed: 'v1.other' } })
      .refuses('duplicate_resource');
  });
});

describe("change a customer's details", () => {
  const changed = { ...profile, sealed: 'v1.second', taxRate: '0' };
  const detailsChanged: CustomerEvent = { type: 'CustomerDetailsChanged', data: { customerKey, ...changed } };

  it('the event carries the whole new profile', () => {
    given(customerDecider, [registered])
      .when({ type: 'ChangeCustomerDetails', basedOn: profile, profile: changed })
      .then(detailsChanged);
  });

  it('a change to what already is changes nothing', () => {
    given(customerDecider, [registered])
      .when({ type: 'ChangeCustomerDetails', basedOn: profile, profile: { ...profile } })
      .nothing();
  });

  it('a change made from details that have changed since is a conflict', () => {
    given(customerDecider, [registered, detailsChanged])
      .when({ type: 'ChangeCustomerDetails', basedOn: profile, profile: { ...profile, taxRate: '8' } })
      .refuses('conflict');
    const onlyTaxChanged: CustomerEvent = {
      type: 'CustomerDetailsChanged',
      data: { customerKey, ...profile, taxRate: '5' },
    };
    given(customerDecider, [registered, onlyTaxChanged])
      .when({ type: 'ChangeCustomerDetails', basedOn: profile, profile: { ...profile, timezone: 'UTC' } })
      .refuses('conflict');
  });

  it('nobody unknown is changed', () => {
    given(customerDecider)
      .when({ type: 'ChangeCustomerDetails', basedOn: profile, profile })
      .refuses('not_found');
  });
});

describe('the end of a customer', () => {
  const deletedAt = NOW;
  const deleted: CustomerEvent = {
    type: 'CustomerDeleted',
    data: { customerKey, subscriptionIds: [COMMAND_ID], deletedAt },
  };
  const erased: CustomerEvent = { type: 'CustomerErased', data: { customerKey, erasedAt: NOW } };

  it('a deletion names the subscriptions that end with it', () => {
    given(customerDecider, [registered])
      .when({ type: 'DeleteCustomer', subscriptionIds: [COMMAND_ID] })
      .then(deleted);
  });

  it('who was deleted is not deleted again, not changed, and its customer_id not given away', () => {
    const after = given(customerDecider, [registered, deleted]);
    after.when({ type: 'DeleteCustomer', subscriptionIds: [] }).refuses('not_found');
    after.when({ type: 'ChangeCustomerDetails', basedOn: profile, profile }).refuses('not_found');
    after.when({ type: 'RegisterCustomer', customerKey, profile }).refuses('duplicate_resource');
  });

  it('only who was deleted is erased, and once', () => {
    given(customerDecider).when({ type: 'EraseCustomer' }).refuses('not_found');
    given(customerDecider, [registered]).when({ type: 'EraseCustomer' }).refuses('invalid_state');
    given(customerDecider, [registered, deleted]).when({ type: 'EraseCustomer' }).then(erased);
    given(customerDecider, [registered, deleted, erased]).when({ type: 'EraseCustomer' }).nothing();
  });
});
