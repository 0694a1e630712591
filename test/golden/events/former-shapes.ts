import type { FormerShape } from './shapes.js';

/** Examples of events that former releases stored. They are moved here unchanged and never deleted. */
export const FORMER_SHAPES: readonly FormerShape[] = [
  {
    type: 'AccountCarriedForward',
    version: 1,
    data: {
      currency: 'USD',
      revision: 97,
      charges: [
        {
          chargeKey:
            '7a9a4b2e-98c4-5a8c-a4e4-0ba0e7a0a111/2026-01-01T00:00:00.000000Z/usage.0b3c7d52-1111-5222-8333-444455556666/2026-01-01T00:00:00.000000Z',
          taxRate: '19',
          close: {
            closeId: '4f5c0e6e-3f1b-5c57-9a8b-6a1b4a2f9c01',
            window: { start: '2026-01-01T00:00:00.000000Z', end: '2026-02-01T00:00:00.000000Z' },
            quantity: '107',
            eventCount: 2,
            digest: '9b74c9897bac770ffc029102a200c5de1f6a7f3d6a3c8d4f1e2b3a4c5d6e7f80',
            sealedUpTo: '12',
            isRecount: false,
          },
          voided: null,
          base: { amount: '10700', currency: 'USD', scale: 2 },
          adjustments: { amount: '0', currency: 'USD', scale: 2 },
          tax: { amount: '2033', currency: 'USD', scale: 2 },
        },
      ],
      closes: [
        {
          chargeKey:
            '7a9a4b2e-98c4-5a8c-a4e4-0ba0e7a0a111/2026-01-01T00:00:00.000000Z/usage.0b3c7d52-1111-5222-8333-444455556666/2026-01-01T00:00:00.000000Z',
          closeId: '4f5c0e6e-3f1b-5c57-9a8b-6a1b4a2f9c01',
          window: { start: '2026-01-01T00:00:00.000000Z', end: '2026-02-01T00:00:00.000000Z' },
          quantity: '107',
          eventCount: 2,
          digest: '9b74c9897bac770ffc029102a200c5de1f6a7f3d6a3c8d4f1e2b3a4c5d6e7f80',
          sealedUpTo: '12',
          isRecount: false,
        },
      ],
      runs: [
        {
          runId: '05989d3a-0d15-54a0-8d59-4ba347c4dbc7',
          asOf: '2026-02-01T00:30:00.000000Z',
          kind: 'invoice',
          invoiceId: '47b7906f-6739-5bf4-85f9-406013d5ac45',
        },
        {
          runId: '15989d3a-0d15-54a0-8d59-4ba347c4dbc7',
          asOf: '2026-02-02T00:00:00.000000Z',
          kind: 'nothing',
        },
      ],
      forgottenUpTo: '2025-12-01T00:30:00.000000Z',
      invoices: [
        {
          invoiceId: '47b7906f-6739-5bf4-85f9-406013d5ac45',
          resultHash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
          issuedAt: '2026-02-01T00:30:00.000000Z',
          number: '260201-000001',
          payment: { id: null, type: null, status: null },
          costDue: { amount: '12733', currency: 'USD', scale: 2 },
          status: 'unpaid',
          chargeKeys: [
            '7a9a4b2e-98c4-5a8c-a4e4-0ba0e7a0a111/2026-01-01T00:00:00.000000Z/usage.0b3c7d52-1111-5222-8333-444455556666/2026-01-01T00:00:00.000000Z',
          ],
        },
      ],
      credits: [
        {
          creditId: '5fd3d7a0-6a59-5dbd-80fb-2ff84c84f863',
          customerKey: 'd8602701-fe5c-5fe1-b636-5a39acbdae6b',
          currency: 'USD',
          amount: { amount: '4000', currency: 'USD', scale: 2 },
          description: 'promo',
          effectiveAt: '2026-01-01T00:00:00.000000Z',
          expiresAt: '2026-03-01T00:00:00.000000Z',
          grantedAt: '2026-01-01T00:00:00.000000Z',
          purchase: {
            amountPaid: { amount: '3500', currency: 'USD', scale: 2 },
            invoiceId: '90e9ea94-b1a0-576a-9fda-896a8905bd05',
            zone: 'UTC',
          },
          remaining: { amount: '1000', currency: 'USD', scale: 2 },
          drawdowns: [
            {
              invoiceId: '47b7906f-6739-5bf4-85f9-406013d5ac45',
              amount: { amount: '3000', currency: 'USD', scale: 2 },
              appliedAt: '2026-02-01T00:30:00.000000Z',
            },
          ],
          isVoided: false,
        },
      ],
      terms: [
        {
          subscriptionId: '7a9a4b2e-98c4-5a8c-a4e4-0ba0e7a0a111',
          revision: '0',
          nextDueAt: '2026-03-01T00:00:00.000000Z',
          nextDueGraced: true,
          settled: false,
        },
      ],
      settled: ['8a9a4b2e-98c4-5a8c-a4e4-0ba0e7a0a111'],
    },
  },
  {
    type: 'CreditDescriptionChanged',
    version: 1,
    data: { creditId: '78a7a0d7-3436-5aa9-a44c-f3a7ec7e745b', description: 'new' },
  },
];
