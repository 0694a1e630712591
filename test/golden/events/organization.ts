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
} satisfies Shapes<OrganizationEvent>;
