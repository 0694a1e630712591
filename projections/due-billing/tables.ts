import type { BillingGraceRow, DueBillingRow, DueTermRow } from '../../src/billing/read-models/due.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const dueBilling: ReadModelTable<DueBillingRow> = {
  comment: 'Next due instants, one row per unsettled term.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    subscription_id: { type: 'uuid not null', comment: 'The term' },
    customer_key: { type: 'uuid not null', comment: 'Customer, with currency the account that is billed' },
    currency: { type: 'text not null', comment: 'Currency of the account' },
    due_at: {
      type: 'timestamptz',
      comment: 'Next instant something is due, without the grace; null: nothing is',
    },
    graced: { type: 'boolean not null', comment: 'True when the invoice waits for the late-event grace' },
    unmet: {
      type: 'boolean not null',
      comment: 'True until a run has said when the changed term falls due; it can be before due_at',
    },
    last_run_at: {
      type: 'timestamptz',
      comment: 'Time of the last run of its account; null: none has met it',
    },
    stream_revision: { type: 'bigint not null', comment: 'Revision of the term that made it due' },
    recorded_at: {
      type: 'timestamptz',
      comment: 'Time at which that revision was recorded; null: a voided invoice made it due',
    },
  },
  key: ['org', 'subscription_id'],
  indexes: ['(due_at)', '(org) where unmet', '(org, customer_key, currency)'],
};

export const dueTerms: ReadModelTable<DueTermRow> = {
  comment: 'Running terms, one row each, by the boundary at which they renew or end.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    subscription_id: { type: 'uuid not null', comment: 'The term' },
    boundary: { type: 'timestamptz not null', comment: 'Exclusive end of the term' },
  },
  key: ['org', 'subscription_id'],
  indexes: ['(boundary)'],
};

export const billingGrace: ReadModelTable<BillingGraceRow> = {
  comment: 'Late-event grace, one row per organization.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    late_event_grace_minutes: {
      type: 'integer not null',
      comment: 'Minutes between a boundary and its invoice',
    },
  },
  key: ['org'],
};
