import { describe, expect, it } from '@jest/globals';
import {
  applyPatch,
  normalizeEmail,
  type CustomerDetails,
} from '../../../src/customer/domain/personal-data.js';

const details: CustomerDetails = {
  personal: {
    customerId: 'c-1',
    name: 'Zofia',
    email: 'zofia@example.com',
    billingAddress: null,
    shippingAddress: null,
    paymentProviderId: null,
    properties: { tier: 'gold' },
  },
  open: { currency: 'PLN', taxRate: '23', timezone: null, paymentProvider: null },
};

describe('a change of details', () => {
  it('what is left out stays', () => {
    expect(applyPatch(details, {})).toEqual(details);
    expect(applyPatch(details, { name: 'Zofia Ł.' })).toEqual({
      ...details,
      personal: { ...details.personal, name: 'Zofia Ł.' },
    });
  });

  it('null clears', () => {
    expect(applyPatch(details, { taxRate: null, email: null })).toEqual({
      personal: { ...details.personal, email: null },
      open: { ...details.open, taxRate: null },
    });
  });

  it('properties are replaced as a whole', () => {
    expect(applyPatch(details, { properties: { since: 2020 } }).personal.properties).toEqual({ since: 2020 });
  });
});

describe('an e-mail address', () => {
  it('is the same in capitals and between blanks, and another with any other letter', () => {
    expect(normalizeEmail(' Zofia@Example.COM ')).toBe(normalizeEmail('zofia@example.com'));
    expect(normalizeEmail('zofia@example.com')).not.toBe(normalizeEmail('zosia@example.com'));
  });
});
