import type { AddonRow } from '../../src/catalog/read-models.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const addons: ReadModelTable<AddonRow> = {
  comment: 'Add-ons, one row each. An add-on never changes.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    addon_id: { type: 'uuid not null', comment: 'The add-on' },
    name: { type: 'text not null', comment: 'Name, unique in the organization' },
    description: { type: 'text', comment: 'For people' },
    addon_type: { type: 'text not null', comment: 'usage_based with components, else flat' },
    version_id: { type: 'uuid not null', comment: 'Its version' },
    currency: { type: 'text not null', comment: 'Currency of every price in it, ISO 4217' },
    recurring_charges: {
      type: 'jsonb not null',
      comment: 'Array of {name, timing, behavior, amount, invoicingInterval, resetInterval}',
    },
    components: {
      type: 'jsonb not null',
      comment: 'Array of {metricId, metricName, metric, metricHash, tiers, volume, …}',
    },
    features: { type: 'jsonb not null', comment: 'Array of {featureId, name, description}: what it grants' },
    invoice_when: {
      type: 'text not null',
      comment: 'invoice_on_attach or invoice_on_subscription_end: when charges in advance are invoiced',
    },
    billing_frequency: { type: 'text not null', comment: 'one_time, or recurring in every period' },
    content_hash: { type: 'text not null', comment: 'sha256 of its prices in canonical JSON' },
    created_at: { type: 'timestamptz not null', comment: 'When it was defined, by the domain clock' },
    stream_revision: { type: 'bigint not null', comment: 'Revision of the last event in this row' },
  },
  key: ['org', 'addon_id'],
  indexes: ['(org, version_id)'],
};
