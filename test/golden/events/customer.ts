import type { CustomerEvent } from '../../../src/customer/domain/events.js';
import type { BulkChangeEvent } from '../../../src/subscription/domain/bulk-change.js';
import type { Shapes } from './shapes.js';

export const customerShapes = {
  CustomerDeleted: {
    customerKey: 'c7303875-dfcd-51a0-b9fc-bbfed3db3564',
    subscriptionIds: ['2a76c538-7fad-5dcf-b721-4bf69ef5cbad'],
    deletedAt: '2026-01-11T12:00:00.000000Z',
  },
  CustomerDetailsChanged: {
    customerKey: '6f5e77c6-2995-5fb3-8f99-2a8411fbf23c',
    sealed:
      'v1.Oteiy1DZ3z5Req4XQ04klSR4Y1a1v9UoaCq9PIEbsRFxs2AGZav0F4P_Kbtcqq8eb6x_G1fu3-SHjPg5Ww4Q-2QVPCisQIP2Jk38gv-_2ZIVISl-ZvEI0pKFSQHYRxhiXKm503Iocy0hFPv13iAiRQgJR8etqCKjsVRiSPvjPWguEHg5rsJPNhuQ2cbniRh27WUfQoUh6APGKKoZa9FsqxvLWBvL9w',
    currency: null,
    taxRate: '8',
    timezone: 'Europe/Warsaw',
    paymentProvider: null,
    country: null,
  },
  CustomerErased: {
    customerKey: '6932b76e-ffe0-5ebd-bf1e-31fabf3d5aae',
    erasedAt: '2026-01-11T12:00:00.000000Z',
  },
  CustomerRegistered: {
    customerKey: '13b3b8a9-32d8-51ad-929c-c42d983221c0',
    sealed:
      'v1.QYlMMzLYEHNs2FNwCjkeBK5G_FoxXVYmqQO-nQH3BzFvDH0_HciT4BEK_-UuQkRSxBNaxjryTp72T1FhJCOaKI5p96LF11RzWWtV2lQdACvQJn8fs1RJs-uQu2voN0tfPkoRt5ZwugpMRJHQDYO1s17l0Cg26ZOaOrCvRRC89Nd8nqwpaihHi9Lqr2hmehk-_LUy01YzyA8GuFn6PQ',
    currency: 'PLN',
    taxRate: '10',
    timezone: 'America/New_York',
    paymentProvider: 'provider_a',
    country: 'PL',
  },
} satisfies Shapes<Exclude<CustomerEvent, { type: 'BulkChangeAccepted' }>>;

export const bulkChangeShapes = {
  BulkChangeAccepted: {
    customerKey: 'c7303875-dfcd-51a0-b9fc-bbfed3db3564',
    subscriptionIds: ['96008f59-50c1-5a9c-8917-58cb8e989f64'],
    change: {
      kind: 'cancel',
      terms: {
        flatFee: null,
        usage: 'bill_full',
        invoicing: 'invoice_now',
      },
    },
  },
} satisfies Shapes<BulkChangeEvent>;
