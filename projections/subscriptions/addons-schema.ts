import type { Instant } from '../../src/kernel/instant.js';
import type { TermAddon } from '../../src/subscription/domain/events.js';
import type { ReadModelTable } from '../runtime/projection.js';

export interface SubscriptionAddonRow {
  org: string;
  addon_subscription_id: string;
  subscription_id: string;
  customer_key: string;
  addon_id: string;
  addon_version_id: string;
  addon_name: string;
  addon_type: TermAddon['addonType'];
  billing_frequency: TermAddon['billingFrequency'];
  invoice_when: TermAddon['invoiceWhen'];
  quantity: number;
  metadata: TermAddon['metadata'];
  start_at: Instant;
  cancelled_at: Instant | null;
  billed: boolean;
}

export const subscriptionAddons: ReadModelTable<SubscriptionAddonRow> = {
  comment: 'Add-ons on subscriptions, one row each per term: a renewal begins a new one, a switch moves it.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    addon_subscription_id: { type: 'uuid not null', comment: 'The add-on on this term' },
    subscription_id: { type: 'uuid not null', comment: 'Term it is on; it is billed in its periods' },
    customer_key: { type: 'uuid not null', comment: 'Customer' },
    addon_id: { type: 'uuid not null', comment: 'What was attached' },
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
    cancelled_at: { type: 'timestamptz', comment: 'Where it ended on its own; null: it ends with its term' },
    billed: {
      type: 'boolean not null',
      comment: 'True once nothing of it is owed after it ended on its own; else its term says so',
    },
  },
  key: ['org', 'addon_subscription_id'],
  indexes: ['(org, subscription_id)', '(org, addon_id)'],
};
