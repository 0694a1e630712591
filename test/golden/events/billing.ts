import type { AccountEvent, NumberSeriesEvent } from '../../../src/billing/accounts/domain/events.js';
import type { DocumentEvent } from '../../../src/billing/pdf/domain/kept-documents.js';
import type { Shapes } from './shapes.js';

export const accountShapes = {
  AccountCarriedForward: {
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
    setOffs: [
      {
        invoiceId: '47b7906f-6739-5bf4-85f9-406013d5ac45',
        paid: [
          '7a9a4b2e-98c4-5a8c-a4e4-0ba0e7a0a111/2026-01-01T00:00:00.000000Z/usage.0b3c7d52-1111-5222-8333-444455556666/2026-01-01T00:00:00.000000Z',
        ],
        givenBack: [
          '7a9a4b2e-98c4-5a8c-a4e4-0ba0e7a0a111/2026-01-01T00:00:00.000000Z/charge.0/2026-01-01T00:00:00.000000Z',
        ],
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
  CreditDescriptionChanged: {
    creditId: '78a7a0d7-3436-5aa9-a44c-f3a7ec7e745b',
    description: null,
    sealedDescription: 'v1.c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0',
  },
  CreditExpiryChanged: {
    creditId: '78a7a0d7-3436-5aa9-a44c-f3a7ec7e745b',
    expiresAt: '2026-06-01T00:00:00.000000Z',
  },
  CreditGranted: {
    creditId: '5fd3d7a0-6a59-5dbd-80fb-2ff84c84f863',
    customerKey: 'd8602701-fe5c-5fe1-b636-5a39acbdae6b',
    currency: 'USD',
    amount: {
      amount: '4000',
      currency: 'USD',
      scale: 2,
    },
    description: 'promo',
    effectiveAt: '2026-01-01T00:00:00.000000Z',
    expiresAt: '2026-03-01T00:00:00.000000Z',
    grantedAt: '2026-01-01T00:00:00.000000Z',
    purchase: {
      amountPaid: {
        amount: '3500',
        currency: 'USD',
        scale: 2,
      },
      invoiceId: '90e9ea94-b1a0-576a-9fda-896a8905bd05',
      zone: 'UTC',
    },
  },
  CreditVoided: {
    creditId: '5fd3d7a0-6a59-5dbd-80fb-2ff84c84f863',
    amount: {
      amount: '1000',
      currency: 'USD',
      scale: 2,
    },
    voidedAt: '2026-01-01T00:00:00.000000Z',
  },
  InvoiceComputed: {
    runId: '05989d3a-0d15-54a0-8d59-4ba347c4dbc7',
    invoiceId: '47b7906f-6739-5bf4-85f9-406013d5ac45',
    customerKey: '395225eb-c097-5fb2-ab2c-e444b1b9dc58',
    currency: 'USD',
    asOf: '2026-01-11T00:00:00.000000Z',
    issuedAt: '2026-01-11T00:00:00.000000Z',
    dueAt: '2026-01-11T00:00:00.000000Z',
    lines: [
      {
        adjustments: [],
        amount: {
          amount: '968',
          currency: 'USD',
          scale: 2,
        },
        base: {
          amount: '968',
          currency: 'USD',
          scale: 2,
        },
        billingType: 'in_advance',
        chargeKey:
          'b72c3e1c-8297-5e57-b518-500263729c8f/2026-01-01T00:00:00.000000Z/charge.0/2026-01-01T00:00:00.000000Z',
        explanation: {
          fraction: '10/31',
          rule: 'recurring_charge',
        },
        filters: [],
        localDates: {
          first: '2026-01-01',
          last: '2026-01-10',
        },
        name: 'fee',
        period: {
          end: '2026-01-11T00:00:00.000000Z',
          start: '2026-01-01T00:00:00.000000Z',
        },
        plan: {
          name: 'P',
          planId: '48252d9c-bfe3-50c0-af8e-a1ff34daca81',
          version: 1,
          versionId: '4576d64c-05ff-589e-9618-1b3fa3f87d90',
        },
        quantity: '1',
        scheduledEnd: false,
        subscriptionId: 'b72c3e1c-8297-5e57-b518-500263729c8f',
        subtotal: {
          amount: '968',
          currency: 'USD',
          scale: 2,
        },
      },
      {
        addon: {
          addonId: 'cc44d0fe-1c52-50e0-9ffa-203b829c2132',
          addonSubscriptionId: '5301f141-00e8-561e-b3e7-6e8475d7cd5b',
          addonVersionId: '68f69655-0cf4-5c6d-94c1-3cb7202ba74a',
          name: 'add-on 1',
        },
        adjustments: [],
        amount: {
          amount: '290',
          currency: 'USD',
          scale: 2,
        },
        base: {
          amount: '290',
          currency: 'USD',
          scale: 2,
        },
        billingType: 'one_time',
        chargeKey:
          '5301f141-00e8-561e-b3e7-6e8475d7cd5b/2026-01-02T00:00:00.000000Z/charge.0/2026-01-02T00:00:00.000000Z',
        explanation: {
          fraction: '9/31',
          rule: 'recurring_charge',
        },
        filters: [],
        localDates: {
          first: '2026-01-02',
          last: '2026-01-10',
        },
        name: 'support',
        period: {
          end: '2026-01-11T00:00:00.000000Z',
          start: '2026-01-02T00:00:00.000000Z',
        },
        plan: {
          name: 'P',
          planId: '48252d9c-bfe3-50c0-af8e-a1ff34daca81',
          version: 1,
          versionId: '4576d64c-05ff-589e-9618-1b3fa3f87d90',
        },
        quantity: '1',
        scheduledEnd: false,
        subscriptionId: 'b72c3e1c-8297-5e57-b518-500263729c8f',
        subtotal: {
          amount: '290',
          currency: 'USD',
          scale: 2,
        },
      },
      {
        adjustments: [
          {
            account: '21100',
            amount: {
              amount: '2710',
              currency: 'USD',
              scale: 2,
            },
            type: 'credit',
          },
        ],
        amount: {
          amount: '2710',
          currency: 'USD',
          scale: 2,
        },
        base: {
          amount: '0',
          currency: 'USD',
          scale: 2,
        },
        billingType: 'one_time',
        chargeKey: 'credits/b05fe8b4-50d8-5d3d-903f-18de35c099dc',
        explanation: {
          rule: 'credit_grant',
        },
        filters: null,
        localDates: {
          first: '2026-01-01',
          last: '2026-01-31',
        },
        name: 'Granted Credit',
        period: {
          end: '2026-02-01T00:00:00.000000Z',
          start: '2026-01-01T00:00:00.000000Z',
        },
        plan: null,
        quantity: null,
        scheduledEnd: true,
        subscriptionId: null,
        subtotal: {
          amount: '2710',
          currency: 'USD',
          scale: 2,
        },
      },
      {
        adjustments: [],
        amount: {
          amount: '4200',
          currency: 'USD',
          scale: 2,
        },
        base: {
          amount: '4200',
          currency: 'USD',
          scale: 2,
        },
        billingType: 'in_arrears',
        chargeKey:
          '31764ff0-abba-5050-9b6f-67f14bdbbdac/2026-01-16T12:00:00.000000Z/usage.7c6985ff-730d-5f1d-82ea-40a939a69bdd/2026-01-01T00:00:00.000000Z',
        explanation: {
          closeId: '68057c68-c4ef-583b-b474-36cedf0901a9',
          rule: 'usage',
        },
        filters: [],
        localDates: {
          first: '2026-01-01',
          last: '2026-01-31',
        },
        name: 'requests',
        period: {
          end: '2026-02-01T00:00:00.000000Z',
          start: '2026-01-01T00:00:00.000000Z',
        },
        plan: {
          name: 'B',
          planId: '3cff9af7-41d8-50d0-acc4-ff8442550a53',
          version: 1,
          versionId: '0cb590b5-95d1-5acf-a27f-77df98062727',
        },
        quantity: '19',
        scheduledEnd: true,
        subscriptionId: '31764ff0-abba-5050-9b6f-67f14bdbbdac',
        subtotal: {
          amount: '4200',
          currency: 'USD',
          scale: 2,
        },
      },
      {
        adjustments: [],
        amount: {
          amount: '1000',
          currency: 'USD',
          scale: 2,
        },
        base: {
          amount: '1000',
          currency: 'USD',
          scale: 2,
        },
        billingType: 'in_arrears',
        chargeKey:
          'b82b55aa-cbdc-5150-be2a-b6607df71af7/2026-01-01T00:00:00.000000Z/charge.0/2026-01-01T00:00:00.000000Z',
        explanation: {
          fraction: '10/31',
          rule: 'recurring_charge',
        },
        filters: [
          {
            propertyName: 'region',
            value: 'west',
          },
        ],
        localDates: {
          first: '2026-01-01',
          last: '2026-01-10',
        },
        name: 'fee',
        period: {
          end: '2026-01-11T00:00:00.000000Z',
          start: '2026-01-01T00:00:00.000000Z',
        },
        plan: {
          name: 'plan 2',
          planId: '26f5dd5c-9e91-55f5-9552-54789d4d5549',
          version: 1,
          versionId: '0e4673c3-0e79-501a-bb3c-6b5f65c5d0e3',
        },
        quantity: '1',
        scheduledEnd: false,
        subscriptionId: 'b82b55aa-cbdc-5150-be2a-b6607df71af7',
        subtotal: {
          amount: '1000',
          currency: 'USD',
          scale: 2,
        },
      },
      {
        adjustments: [
          {
            account: '41100',
            amount: {
              amount: '500',
              currency: 'USD',
              scale: 2,
            },
            type: 'sales_tax',
          },
        ],
        amount: {
          amount: '1500',
          currency: 'USD',
          scale: 2,
        },
        base: {
          amount: '1000',
          currency: 'USD',
          scale: 2,
        },
        billingType: 'in_arrears',
        chargeKey:
          '958c1dd6-0477-5930-8034-e43ecb6283d4/2026-01-01T00:00:00.000000Z/charge.0/2026-01-01T00:00:00.000000Z',
        explanation: {
          fraction: '10/31',
          rule: 'recurring_charge',
          taxRate: '50',
        },
        filters: [],
        localDates: {
          first: '2026-01-01',
          last: '2026-01-10',
        },
        name: 'fee',
        period: {
          end: '2026-01-11T00:00:00.000000Z',
          start: '2026-01-01T00:00:00.000000Z',
        },
        plan: {
          name: 'plan 12',
          planId: '52bc3fb1-39c5-56b9-8e73-5c35153cea7f',
          version: 1,
          versionId: '197cfede-1b9d-5a86-b42c-e855942ff65c',
        },
        quantity: '1',
        scheduledEnd: false,
        subscriptionId: '958c1dd6-0477-5930-8034-e43ecb6283d4',
        subtotal: {
          amount: '1000',
          currency: 'USD',
          scale: 2,
        },
      },
      {
        adjustments: [],
        amount: {
          amount: '1200',
          currency: 'USD',
          scale: 2,
        },
        base: {
          amount: '1200',
          currency: 'USD',
          scale: 2,
        },
        billingType: 'in_advance',
        chargeKey:
          '39f31df3-366e-5114-9074-bf038ca715a4/2026-01-01T00:00:00.000000Z/prepaid.f0b542d9-2461-5e7a-8ec6-4f979ae377a7/2026-01-01T00:00:00.000000Z',
        explanation: {
          held: [
            {
              fraction: '1/267840',
              from: '2026-01-01T00:00:00.000000Z',
              units: '20',
            },
          ],
          rule: 'prepaid_units',
        },
        filters: [],
        localDates: {
          first: '2026-01-01',
          last: '2026-01-31',
        },
        name: 'requests (prepaid)',
        period: {
          end: '2026-02-01T00:00:00.000000Z',
          start: '2026-01-01T00:00:10.000000Z',
        },
        plan: {
          name: 'plan 6',
          planId: '5ecf299f-3527-59ce-83cf-c589bcc09bc9',
          version: 1,
          versionId: 'e95ee63b-0cbd-51ab-85df-9495c68c4e85',
        },
        quantity: '32',
        scheduledEnd: true,
        subscriptionId: '39f31df3-366e-5114-9074-bf038ca715a4',
        subtotal: {
          amount: '1200',
          currency: 'USD',
          scale: 2,
        },
      },
      {
        adjustments: [],
        amount: {
          amount: '300',
          currency: 'USD',
          scale: 2,
        },
        base: {
          amount: '300',
          currency: 'USD',
          scale: 2,
        },
        billingType: 'in_arrears',
        chargeKey:
          '993bcddf-5c84-502f-a5fc-0c3df9516b63/2026-01-01T00:00:00.000000Z/usage.89374b15-bb14-5658-a083-93b978310398/2026-01-01T00:00:00.000000Z',
        explanation: {
          closeId: 'd5a8139e-310d-5eaa-b5ed-3ec378f6d073',
          previousCloseId: 'ad7e93f6-8be7-589e-8171-f0b0699e2a89',
          rule: 'usage',
        },
        filters: [],
        localDates: {
          first: '2026-01-01',
          last: '2026-01-31',
        },
        name: 'requests (late usage, 2026-01-01 to 2026-01-31)',
        period: {
          end: '2026-02-01T00:00:00.000000Z',
          start: '2026-01-01T00:00:00.000000Z',
        },
        plan: {
          name: 'Basic',
          planId: '284da377-e57f-565f-841d-3ca81cf84ad8',
          version: 1,
          versionId: '3e015fb9-2fd4-58fb-90c7-41f041d71f8a',
        },
        quantity: '3',
        scheduledEnd: true,
        subscriptionId: '993bcddf-5c84-502f-a5fc-0c3df9516b63',
        subtotal: {
          amount: '300',
          currency: 'USD',
          scale: 2,
        },
      },
    ],
    total: {
      amount: '0',
      currency: 'USD',
      scale: 2,
    },
    costDue: {
      amount: '0',
      currency: 'USD',
      scale: 2,
    },
    drawdowns: [
      {
        amount: {
          amount: '2500',
          currency: 'USD',
          scale: 2,
        },
        creditId: 'ae7faef0-806b-5dd9-9b1e-d03759f22076',
      },
    ],
    grants: [
      {
        amount: {
          amount: '2710',
          currency: 'USD',
          scale: 2,
        },
        creditId: 'b05fe8b4-50d8-5d3d-903f-18de35c099dc',
      },
    ],
    reductions: [
      {
        amount: {
          amount: '3000',
          currency: 'USD',
          scale: 2,
        },
        invoiceId: '194473a3-9006-57fe-99cc-d3961e24769f',
      },
    ],
    inputs: {
      accountRevision: '5',
      asOf: '2026-01-11T00:00:00.000000Z',
      closeIds: ['68057c68-c4ef-583b-b474-36cedf0901a9'],
      customerRevision: '0',
      organizationRevision: '0',
      policy: '2026-1',
      terms: [
        {
          addons: [
            {
              addonSubscriptionId: '5301f141-00e8-561e-b3e7-6e8475d7cd5b',
              addonVersionId: '68f69655-0cf4-5c6d-94c1-3cb7202ba74a',
              contentHash: '9493ad654715359de78fa782d62c232b492af01ce72d399ff21a3a1d9c6b1e1a',
            },
          ],
          contentHash: 'f3d5964b961af9322cd84a4d66a6c0e40e8a98231677ed2533f01c86b4b99669',
          planRevision: '1',
          revision: '2',
          subscriptionId: 'b72c3e1c-8297-5e57-b518-500263729c8f',
          versionId: '4576d64c-05ff-589e-9618-1b3fa3f87d90',
        },
      ],
    },
    fingerprint: 'a92e09d31413d626444447d308fcdd5b0c6e00cb1658b691672f7ae0f05ab2ec',
    resultHash: '2b198dea024c283d0a44b8ca5376260e6c2623e14491cecf03f162d0ca0fa20c',
    policy: '2026-1',
    terms: [
      {
        subscriptionId: 'b72c3e1c-8297-5e57-b518-500263729c8f',
        revision: '2',
        nextDueAt: null,
        nextDueGraced: false,
        settled: false,
        addons: [
          {
            addonSubscriptionId: '5301f141-00e8-561e-b3e7-6e8475d7cd5b',
            billed: false,
          },
        ],
      },
      {
        subscriptionId: '8b0358b8-2fbf-5681-9d2b-7c24532b163c',
        revision: '0',
        nextDueAt: '2026-02-01T00:00:00.000000Z',
        nextDueGraced: true,
        settled: false,
      },
    ],
  },
  InvoiceIssued: {
    invoiceId: '8d6f7f98-7545-54bc-9061-25c24aaa5337',
    number: '260110-000001',
    issuedAt: '2026-01-10T00:00:00.000000Z',
  },
  InvoicePaid: {
    invoiceId: 'f9e36ce8-dc6a-52ba-8fd3-ed8c3b5a6d10',
    amount: {
      amount: '968',
      currency: 'USD',
      scale: 2,
    },
    paidAt: '2026-01-02T00:00:00.000000Z',
  },
  InvoicePastDue: {
    invoiceId: 'cbf3e032-c62c-55ff-a142-972e87da7389',
    dueAt: '2026-01-11T00:00:00.000000Z',
  },
  InvoiceVoided: {
    invoiceId: 'f0d413db-9079-5b29-b822-493d991fae50',
    number: '260201-000007',
    customerKey: '850e1a5d-32d2-50e7-801e-971a3e1ba162',
    currency: 'USD',
    voidedAt: '2026-04-01T00:30:00.000000Z',
    charges: [
      {
        chargeKey:
          'df10a84f-ff67-5b5a-8215-30078d752220/2026-01-01T00:00:00.000000Z/charge.0/2026-01-01T00:00:00.000000Z',
        base: {
          amount: '3000',
          currency: 'USD',
          scale: 2,
        },
        adjustments: {
          amount: '0',
          currency: 'USD',
          scale: 2,
        },
        tax: {
          amount: '0',
          currency: 'USD',
          scale: 2,
        },
        quantity: '0',
      },
    ],
    drawdowns: [
      {
        amount: {
          amount: '1200',
          currency: 'USD',
          scale: 2,
        },
        creditId: '011f40a0-5eb7-5436-968b-c43b58ca8add',
      },
    ],
    terms: [
      {
        subscriptionId: 'df10a84f-ff67-5b5a-8215-30078d752220',
        revision: '1',
        nextDueAt: '2026-05-01T00:00:00.000000Z',
        nextDueGraced: true,
        settled: false,
      },
      {
        subscriptionId: '10586e78-bb03-53c1-95c9-a633129a5128',
        revision: '1',
        nextDueAt: '2026-01-01T00:00:00.000000Z',
        nextDueGraced: false,
        settled: false,
        addons: [
          {
            addonSubscriptionId: '33b6d8b3-9200-5b97-b11c-0d04205f67c1',
            billed: false,
          },
        ],
      },
    ],
    recalled: {
      charges: [
        {
          chargeKey:
            'df10a84f-ff67-5b5a-8215-30078d752220/2026-01-01T00:00:00.000000Z/charge.0/2026-01-01T00:00:00.000000Z',
          taxRate: null,
          close: null,
          voided: null,
          base: {
            amount: '3000',
            currency: 'USD',
            scale: 2,
          },
          adjustments: {
            amount: '0',
            currency: 'USD',
            scale: 2,
          },
          tax: {
            amount: '0',
            currency: 'USD',
            scale: 2,
          },
        },
        {
          chargeKey:
            'df10a84f-ff67-5b5a-8215-30078d752220/2026-01-01T00:00:00.000000Z/usage.35caefd1-08d7-501d-ad68-a41170614614/2026-01-01T00:00:00.000000Z',
          taxRate: null,
          close: {
            closeId: '9dc28552-6e1e-51f9-bef1-79abb7f005b7',
            window: {
              start: '2026-01-01T00:00:00.000000Z',
              end: '2026-02-01T00:00:00.000000Z',
            },
            quantity: '5',
            eventCount: 5,
            digest: '3bea6d8a9f89adc0dd0b0d4052da99dc4efa7f6f8d59c302723b6fd7b360b000',
            sealedUpTo: '1',
            isRecount: false,
          },
          voided: null,
          base: {
            amount: '500',
            currency: 'USD',
            scale: 2,
          },
          adjustments: {
            amount: '0',
            currency: 'USD',
            scale: 2,
          },
          tax: {
            amount: '0',
            currency: 'USD',
            scale: 2,
          },
        },
      ],
      closes: [
        {
          chargeKey:
            'df10a84f-ff67-5b5a-8215-30078d752220/2026-01-01T00:00:00.000000Z/usage.35caefd1-08d7-501d-ad68-a41170614614/2026-01-01T00:00:00.000000Z',
          closeId: '9dc28552-6e1e-51f9-bef1-79abb7f005b7',
          window: {
            start: '2026-01-01T00:00:00.000000Z',
            end: '2026-02-01T00:00:00.000000Z',
          },
          quantity: '5',
          eventCount: 5,
          digest: '3bea6d8a9f89adc0dd0b0d4052da99dc4efa7f6f8d59c302723b6fd7b360b000',
          sealedUpTo: '1',
          isRecount: false,
        },
      ],
    },
    rebill: false,
  },
  NothingDue: {
    runId: '0b9731f0-a481-5b25-ae1b-02ea1cff6971',
    customerKey: '03fec665-4236-5b12-a780-01f2f3d872b1',
    currency: 'USD',
    asOf: '2026-01-16T12:00:00.000000Z',
    terms: [
      {
        subscriptionId: '1645ebd6-9fc7-5b5a-80e7-0e45823a3a85',
        revision: '1',
        nextDueAt: '2026-02-01T00:00:00.000000Z',
        nextDueGraced: true,
        settled: false,
        addons: [
          {
            addonSubscriptionId: '3b0e38df-6e60-54bf-88cb-81c7166cabcf',
            billed: false,
          },
        ],
      },
    ],
  },
  PaymentLinked: {
    invoiceId: 'b78cc550-ff72-5113-94f3-03fcbd61dbbb',
    payment: {
      id: 'in_1',
      type: 'provider_b',
      status: null,
    },
  },
  UsagePeriodClosed: {
    closeId: '073d6d44-7794-512d-9257-14e6df1c3978',
    chargeKey:
      '0856a5b6-0724-51a4-9f51-1a0054ce8574/2026-02-01T00:00:00.000000Z/usage.1bc022f9-1a2b-5bbc-9839-9045ed1454ec/2026-02-01T00:00:00.000000Z',
    subscriptionId: '0856a5b6-0724-51a4-9f51-1a0054ce8574',
    metricId: '1bc022f9-1a2b-5bbc-9839-9045ed1454ec',
    window: {
      start: '2026-02-01T00:00:00.000000Z',
      end: '2026-03-01T00:00:00.000000Z',
    },
    reading: {
      start: '0001-01-01T00:00:00.000000Z',
      end: '2026-03-01T00:00:00.000000Z',
    },
    period: {
      start: '2026-02-01T00:00:00.000000Z',
      end: '2026-03-01T00:00:00.000000Z',
    },
    quantity: '0',
    eventCount: 0,
    absentValues: 0,
    sealedUpTo: '4',
    digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    supersedes: '073d6d44-7794-512d-9257-14e6df1c3978',
    addonSubscriptionId: '5b871649-98ed-50de-b656-977eb3e1a35e',
  },
} satisfies Shapes<AccountEvent>;

export const numberSeriesShapes = {
  NumbersAssigned: {
    assignments: [
      {
        invoiceId: '8d6f7f98-7545-54bc-9061-25c24aaa5337',
        number: '260110-000001',
        resultHash: 'bf4a53216b75e9547b83505bdf5ef4231dd62508c05ce1321120f9ebaed6d2e7',
        chainHash: '7af93cc6c6a312a96e033c84e2c146fdd3e2fc309531f86fb63f89bf2106c1e1',
      },
    ],
  },
} satisfies Shapes<NumberSeriesEvent>;

export const documentShapes = {
  InvoiceDocumentKept: {
    invoiceId: '8d6f7f98-7545-54bc-9061-25c24aaa5337',
    customerKey: '0b6f2d1c-7a59-5c43-8e21-9f6d4c3b2a10',
    kind: 'issued',
    sha256: '4d967a6f2d4bb1f6b5e1c7f8f0c5b9a3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7',
  },
} satisfies Shapes<DocumentEvent>;
