import type { PlanRow, PlanVersionRow } from '../../src/catalog/read-models.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const plans: ReadModelTable<PlanRow> = {
  comment: 'Plans, one row each. Prices are in plan_versions.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    plan_id: { type: 'uuid not null', comment: 'The plan' },
    name: { type: 'text not null', comment: 'Name, unique in the organization' },
    description: { type: 'text', comment: 'For people' },
    duration: {
      type: 'text',
      comment: 'monthly, quarterly or yearly: length of a term; null: the longest interval of its charges',
    },
    tags: { type: 'jsonb not null', comment: 'Array of text' },
    external_links: {
      type: 'jsonb not null',
      comment: 'Array of {source, externalPlanId}: the plan at payment providers',
    },
    created_at: { type: 'timestamptz not null', comment: 'When it was created, by the domain clock' },
    deleted_at: { type: 'timestamptz', comment: 'When it was deleted; null: it is sold' },
    stream_revision: { type: 'bigint not null', comment: 'Revision of the last event in this row' },
  },
  key: ['org', 'plan_id'],
  indexes: ['(org, created_at desc, name)'],
};

export const planVersions: ReadModelTable<PlanVersionRow> = {
  comment: 'Plan versions, one row each. Price content never changes.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    plan_id: { type: 'uuid not null', comment: 'The plan' },
    version_id: { type: 'uuid not null', comment: 'The version' },
    version: { type: 'integer', comment: 'Public number; null: a version for the customers it targets' },
    currency: { type: 'text not null', comment: 'ISO 4217 code of every price in it' },
    recurring_charges: {
      type: 'jsonb not null',
      comment:
        'Array of {name, timing, behavior, amount, invoicingInterval, resetInterval}; amounts are decimal text',
    },
    components: {
      type: 'jsonb not null',
      comment:
        'Array of {metricId, metricName, metric, metricHash, tiers, volume, …}; numbers are decimal text',
    },
    price_adjustment: { type: 'jsonb', comment: '{name, description, type, amount}, or null' },
    content_hash: { type: 'text not null', comment: 'sha256 of the price content in canonical JSON' },
    features: { type: 'jsonb not null', comment: 'Array of {featureId, name, description} it grants' },
    target_customer_keys: {
      type: 'jsonb not null',
      comment: 'Array of customer keys it is reserved for; empty: for everybody',
    },
    localized_name: { type: 'text', comment: 'Name in the language of its customers' },
    day_anchor: { type: 'integer', comment: 'Day of the month its periods begin on; null: the start’s' },
    month_anchor: { type: 'integer', comment: 'Month its periods are counted from; null: any' },
    active_from: { type: 'timestamptz', comment: 'Sold from here on; null: not started' },
    active_to: { type: 'timestamptz', comment: 'No longer sold from here on; null: open' },
    replaced_by: {
      type: 'uuid',
      comment: 'Version its subscriptions renew to; null: itself',
    },
    deleted_at: { type: 'timestamptz', comment: 'When it was deleted; null: it is not' },
    created_at: { type: 'timestamptz not null', comment: 'When it was published, by the domain clock' },
    published_revision: { type: 'bigint not null', comment: 'Orders the versions of a plan' },
    stream_revision: { type: 'bigint not null', comment: 'Revision of the last event in this row' },
  },
  key: ['org', 'version_id'],
  indexes: ['(org, plan_id)'],
};
