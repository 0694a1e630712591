import type { SubscriptionAddonRow, SubscriptionRow } from '../../src/subscription/read-models.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const subscriptions: ReadModelTable<SubscriptionRow> = {
  comment: 'Subscriptions, one row per term. A renewal or switch begins a new row.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    subscription_id: { type: 'uuid not null', comment: 'The term' },
    customer_key: { type: 'uuid not null', comment: 'Customer' },
    plan_id: { type: 'uuid not null', comment: 'Plan' },
    version_id: { type: 'uuid not null', comment: 'Version of the plan that prices the term' },
    currency: { type: 'text not null', comment: 'Currency the term is billed in, ISO 4217' },
    basis: {
      type: 'jsonb not null',
      comment:
        'Basis of the term: {zone, anchor, duration, prorationBasis, policy, …}, after a switch also the carried-over proration',
      isUnread: true,
    },
    start_at: { type: 'timestamptz not null', comment: 'First instant of the term' },
    end_at: { type: 'timestamptz not null', comment: 'End of the term, exclusive' },
    scheduled_end: {
      type: 'boolean not null',
      comment: 'True: the end is a boundary of the plan; false: somebody set it',
    },
    auto_renew: { type: 'boolean not null', comment: 'True when a next term begins at the end' },
    is_new: { type: 'boolean not null', comment: 'False for terms that a renewal began' },
    state: {
      type: 'text not null',
      comment: 'open until what follows the end is decided, then renewed, switched or ended',
    },
    filters: {
      type: 'jsonb not null',
      comment: 'Usage counts here when its properties have these values: [{propertyName, value}]',
      isUnread: true,
    },
    metadata: { type: 'jsonb not null', comment: "The caller's own key/value object", isUnread: true },
    prepaid_units: {
      type: 'jsonb not null',
      comment:
        'Units paid for beforehand, the latest of each component: [{metricId, units}], units as decimal text',
    },
    predecessor: { type: 'uuid', comment: 'Term that this one renews, or was switched from' },
    successor: { type: 'uuid', comment: 'Term that renews this one, or that it was switched to' },
    nothing_more_due: {
      type: 'boolean not null',
      comment: 'True once everything the term owes as it stands is on an invoice',
    },
    stream_revision: {
      type: 'bigint',
      comment: 'Revision of the stream that the row shows; null: known only from its predecessor',
    },
  },
  key: ['org', 'subscription_id'],
  indexes: [
    '(org, start_at desc, subscription_id)',
    '(org, customer_key, start_at desc, subscription_id)',
    '(org, plan_id, end_at)',
    '(org, start_at, subscription_id)',
    '(org, end_at, subscription_id)',
  ],
  // A sweep changes the state of many rows that lie side by side.
  fillfactor: 50,
};

export const subscriptionAddons: ReadModelTable<SubscriptionAddonRow> = {
  comment: 'Attached add-ons, one row per term. A renewal begins a new row, a switch moves the row.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    addon_subscription_id: { type: 'uuid not null', comment: 'The add-on on this term' },
    subscription_id: { type: 'uuid not null', comment: 'Term it is on; it is billed in its periods' },
    customer_key: { type: 'uuid not null', comment: 'Customer' },
    addon_id: { type: 'uuid not null', comment: 'Add-on' },
    addon_version_id: { type: 'uuid not null', comment: 'Version that prices it' },
    addon_name: { type: 'text not null', comment: 'Name of the add-on' },
    addon_type: { type: 'text not null', comment: 'usage_based with components, else flat' },
    billing_frequency: { type: 'text not null', comment: 'one_time, or recurring in every period' },
    invoice_when: {
      type: 'text not null',
      comment: 'invoice_on_attach or invoice_on_subscription_end: when charges in advance are invoiced',
    },
    quantity: { type: 'integer not null', comment: 'Times its recurring charges' },
    metadata: { type: 'jsonb not null', comment: "The caller's own key/value object" },
    start_at: { type: 'timestamptz not null', comment: 'First instant it runs' },
    cancelled_at: { type: 'timestamptz', comment: 'Instant of its own end; null: it ends with its term' },
    billed: {
      type: 'boolean not null',
      comment: 'True once nothing of it is owed after it ended on its own; else its term says so',
    },
  },
  key: ['org', 'addon_subscription_id'],
  indexes: ['(org, subscription_id)', '(org, addon_id)'],
};
