import type { OrganizationEvent } from '../../../src/organization/domain/events.js';
import type { Shapes } from './shapes.js';

export const organizationShapes = {
  OrganizationCreated: {
    settings: {
      name: 'My organization',
      defaultCurrency: 'USD',
      timezone: 'UTC',
      taxRate: null,
      address: null,
      email: null,
      phone: null,
      paymentGraceDays: null,
      lateEventGraceMinutes: 30,
      subscriptionFilterKeys: [],
      featureAccessPolicy: 'any',
      prorationBasis: 'second',
    },
  },
  SettingsChanged: {
    changes: {
      taxRate: '23',
      address: {
        city: 'Gdynia',
        country: 'PL',
        line1: 'Świętojańska 1',
        line2: null,
        postalCode: null,
        state: null,
      },
      email: 'books@example.com',
      phone: '1',
      paymentGraceDays: 10,
      subscriptionFilterKeys: ['region'],
    },
  },
  ApiKeyCreated: {
    keyId: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6a01',
    prefix: '0123456789ab',
    name: 'Reports',
    scope: 'read',
    expiresAt: '2027-01-01T00:00:00.000000Z',
    digest: 'a'.repeat(64),
    replaces: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6a02',
    takenIn: true,
  },
  ApiKeyRevoked: {
    keyId: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6a02',
    replacedBy: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6a01',
  },
} satisfies Shapes<OrganizationEvent>;
