import type { CreditDrawdownRow, CreditRow } from '../../src/billing/read-models/credits.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const credits: ReadModelTable<CreditRow> = {
  comment: 'Credits, one row each. Later invoices in their currency draw from them.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    credit_id: { type: 'uuid not null', comment: 'The credit; on the wire with the prefix credit_' },
    customer_key: { type: 'uuid not null', comment: 'Customer who holds it' },
    currency: { type: 'text not null', comment: 'Currency of every amount in it, ISO 4217' },
    amount: { type: 'numeric not null', comment: 'Amount granted, in major units' },
    amount_remaining: {
      type: 'numeric not null',
      comment: 'Neither drawn nor voided, in major units; past expires_at it cannot be drawn',
    },
    description: {
      type: 'text',
      comment: 'Plain description, of credits that the engine made or an early release granted',
    },
    sealed_description: { type: 'text', comment: "Description, sealed with the customer's key" },
    granted_at: { type: 'timestamptz not null', comment: 'When it was created' },
    effective_at: { type: 'timestamptz not null', comment: 'From when on invoices draw from it' },
    expires_at: { type: 'timestamptz', comment: 'Until when, exclusive; null: it never expires' },
    amount_paid: {
      type: 'numeric not null',
      comment: 'Price in major units of its currency; 0: free',
    },
    voided_at: { type: 'timestamptz', comment: 'When what was left was taken back; null: it was not' },
    purchase_invoice_id: { type: 'uuid', comment: 'Invoice by which it is sold; null: it is free' },
  },
  key: ['org', 'credit_id'],
  indexes: ['(org, customer_key, granted_at desc, credit_id)'],
};

export const creditDrawdowns: ReadModelTable<CreditDrawdownRow> = {
  comment: 'Drawdowns, one row per invoice and credit.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    credit_id: { type: 'uuid not null', comment: 'Credit it was taken from' },
    invoice_id: { type: 'uuid not null', comment: 'Invoice that took it' },
    amount: { type: 'numeric not null', comment: 'Positive amount in major units' },
    applied_at: { type: 'timestamptz not null', comment: 'Issue date of that invoice' },
  },
  key: ['org', 'credit_id', 'invoice_id'],
};
