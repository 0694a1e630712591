import type { FeatureRow, MetricRow } from '../../src/catalog/read-models.js';
import { defineProjection } from '../events.js';
import { change, put } from '../runtime/projection.js';
import { features, metrics } from './tables.js';

export const catalogProjection = defineProjection({
  name: 'catalog',
  version: 2,
  tables: { metrics, features },
  on: {
    MetricDefined: ({ data, metadata, revision }) => {
      const { org, recordedAt } = metadata;
      const { definition } = data;
      return [
        put<MetricRow>(
          'metrics',
          { org, metric_id: data.metricId },
          {
            org,
            metric_id: data.metricId,
            name: data.name,
            event_name: definition.eventName,
            metric_type: definition.metricType,
            aggregation: definition.aggregation,
            property_name: definition.propertyName,
            granularity: definition.granularity,
            event_type: definition.eventType,
            proration: definition.proration,
            numeric_filters: definition.numericFilters,
            categorical_filters: definition.categoricalFilters,
            is_cost_metric: definition.isCostMetric,
            definition_hash: data.definitionHash,
            created_at: recordedAt,
            archived_at: null,
            stream_revision: revision.toString(),
          },
        ),
      ];
    },
    MetricArchived: ({ data, metadata: { org }, revision }) => [
      change<MetricRow>(
        'metrics',
        { org, metric_id: data.metricId },
        (row) => row && { ...row, archived_at: data.archivedAt, stream_revision: revision.toString() },
      ),
    ],
    FeatureDefined: ({ data, metadata, revision }) => {
      const { org, recordedAt } = metadata;
      return [
        put<FeatureRow>(
          'features',
          { org, feature_id: data.featureId },
          {
            org,
            feature_id: data.featureId,
            name: data.name,
            description: data.description,
            created_at: recordedAt,
            stream_revision: revision.toString(),
          },
        ),
      ];
    },
  },
});
