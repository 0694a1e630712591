import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Feature, Metric } from '../../../../clients/typescript/src/index.js';
import { NewFeature } from '../../actions/new-feature.js';
import { NewMetric } from '../../actions/new-metric.js';
import { recount } from '../../api/client.js';
import { metricsQuery } from '../../api/metrics.js';
import type { Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Page, Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import { WholeTable } from '../../shared/whole-table.js';

const METRICS: readonly Column<Metric>[] = [
  {
    id: 'name',
    header: 'Metric',
    cell: ({ metric_name: name }) => name,
    value: ({ metric_name: name }) => name,
  },
  {
    id: 'events',
    header: 'Event name',
    cell: ({ event_name: event }) => (
      <Link to="/events" search={{ event_name: event }}>
        {event}
      </Link>
    ),
    value: ({ event_name: event }) => event,
  },
  {
    id: 'type',
    header: 'Type',
    cell: ({ metric_type: type }) => type,
    value: ({ metric_type: type }) => type,
    isMinor: true,
  },
  {
    id: 'quantity',
    header: 'Quantity',
    cell: quantityText,
    value: quantityText,
    isMinor: true,
  },
];

function quantityText({
  aggregation_type: aggregation,
  property_name: property,
  granularity,
}: Metric): string {
  const parts =
    granularity === null || granularity === 'total' ? '' : ` per ${granularity.replace(/s$/, '')}`;
  return `${aggregation}${property === null ? '' : ` of ${property}`}${parts}`;
}

const FEATURES: readonly Column<Feature>[] = [
  {
    id: 'name',
    header: 'Feature',
    cell: ({ feature_name: name }) => name,
    value: ({ feature_name: name }) => name,
  },
  {
    id: 'description',
    header: 'Description',
    cell: ({ feature_description: text }) => text ?? '–',
    value: ({ feature_description: text }) => text,
    isWide: true,
  },
];

/** Metrics, which usage is counted by, and features, which plans grant. */
export function MetricsPage() {
  const metrics = useQuery(metricsQuery);
  const features = useQuery({
    queryKey: ['features'],
    queryFn: ({ signal }) => recount.listFeatures({ limit: 1000 }, { signal }).all(),
  });
  return (
    <Page title="Metrics and features" readModels={['catalog']}>
      <Section title="Metrics" actions={<NewMetric />}>
        {metrics.error && <Problem error={metrics.error} retry={() => void metrics.refetch()} />}
        {!metrics.error && (
          <WholeTable
            file="metrics"
            label="Metrics"
            columns={METRICS}
            rows={metrics.data}
            rowKey={({ metric_id: id }) => id}
            empty={
              <EmptyState title="No metrics yet">
                A metric counts usage events of one name, so that plans can set a price for them.
              </EmptyState>
            }
          />
        )}
      </Section>
      <Section title="Features" actions={<NewFeature />}>
        {features.error && <Problem error={features.error} retry={() => void features.refetch()} />}
        {!features.error && (
          <WholeTable
            file="features"
            label="Features"
            columns={FEATURES}
            rows={features.data}
            rowKey={({ feature_id: id }) => id}
            empty={
              <EmptyState title="No features yet">Plan versions grant features to subscribers.</EmptyState>
            }
          />
        )}
      </Section>
    </Page>
  );
}
