import type { FeatureRow, MetricRow } from '../../src/catalog/read-models.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const metrics: ReadModelTable<MetricRow> = {
  comment: 'Metrics, one row each. A definition never changes.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    metric_id: { type: 'uuid not null', comment: 'The metric' },
    name: { type: 'text not null', comment: 'Name, unique in the organization' },
    event_name: { type: 'text not null', comment: 'Name of the usage events it reads' },
    metric_type: { type: 'text not null', comment: 'counter, gauge or rate' },
    aggregation: { type: 'text not null', comment: 'count, sum, max, unique or average' },
    property_name: { type: 'text', comment: 'Property of the events it reads; null: it counts events' },
    granularity: { type: 'text', comment: 'seconds … years or total' },
    event_type: { type: 'text', comment: 'Gauges: delta or total' },
    proration: { type: 'text', comment: 'Gauges: the unit a level is prorated by' },
    numeric_filters: {
      type: 'jsonb not null',
      comment: 'Array of {propertyName, operator, comparisonValue}; the value is decimal text',
    },
    categorical_filters: {
      type: 'jsonb not null',
      comment: 'Array of {propertyName, operator, comparisonValue}; the value is an array of text',
    },
    is_cost_metric: { type: 'boolean not null', comment: 'Counts the business’s own costs' },
    definition_hash: { type: 'text not null', comment: 'sha256 of the definition in canonical JSON' },
    created_at: { type: 'timestamptz not null', comment: 'When it was defined, by the domain clock' },
    archived_at: { type: 'timestamptz', comment: 'No version is published with it from here on; null: open' },
    stream_revision: { type: 'bigint not null', comment: 'Revision of the last event in this row' },
  },
  key: ['org', 'metric_id'],
  indexes: ['(org, event_name)'],
};

export const features: ReadModelTable<FeatureRow> = {
  comment: 'Features, one row each.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    feature_id: { type: 'uuid not null', comment: 'The feature' },
    name: { type: 'text not null', comment: 'Name, unique in the organization' },
    description: { type: 'text', comment: 'For people' },
    created_at: { type: 'timestamptz not null', comment: 'When it was defined, by the domain clock' },
    stream_revision: { type: 'bigint not null', comment: 'Revision of the last event in this row' },
  },
  key: ['org', 'feature_id'],
};
