import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { UsageByMetric } from '../../../../clients/typescript/src/index.js';
import { Chart } from '../../charts/chart.js';
import { formatQuantity } from '../../shared/amount.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Field, SelectInput } from '../../shared/field.js';
import { QueryView } from '../../shared/query-view.js';
import { AsOf } from './as-of.js';
import { hasQuantity, metricData, usageData } from './chart-rows.js';
import type { OverviewRange } from './range.js';
import { REPORTS } from './reports.js';

interface InRange {
  readonly range: OverviewRange;
}

/** Usage events by name. */
export function UsageChart({ range }: InRange) {
  const by = range.usage.granularity;
  return (
    <QueryView query={useQuery(REPORTS.usage(range.usage))}>
      {(report) => {
        if (report.rows.length === 0)
          return (
            <EmptyState title={`No usage ${range.usageWords}`}>
              Send events with <code>POST /api/track/</code>.
            </EmptyState>
          );
        return (
          <Chart
            title={`Usage events by ${by}`}
            of={by === 'day' ? 'Day' : 'Month'}
            {...usageData(report, range.usage)}
            format={formatQuantity}
            note={<AsOf report={report} />}
          />
        );
      }}
    </QueryView>
  );
}

/** Shows the usage of all customers by a metric; the address names the metric. */
export function MetricUsageChart({ range }: InRange) {
  return (
    <QueryView query={useQuery(REPORTS.usageByMetric(range.usage))}>
      {(report) => <ChartOfMetric report={report} range={range} />}
    </QueryView>
  );
}

function ChartOfMetric({ report, range }: InRange & { readonly report: UsageByMetric }) {
  const { metric: asked } = useSearch({ from: '/' });
  const metric = report.metrics.find(({ metric_id: id }) => id === asked) ?? report.metrics[0];
  if (!metric)
    return (
      <EmptyState title={`No metered usage ${range.usageWords}`}>
        A <Link to="/metrics">metric</Link> counts usage events of one name.
      </EmptyState>
    );
  const by = range.usage.granularity;
  const what = hasQuantity(report, metric) ? 'Usage' : 'Events';
  return (
    <Chart
      title={`${what} of ${metric.metric_name} by ${by}`}
      of={by === 'day' ? 'Day' : 'Month'}
      choice={<MetricPicker report={report} shown={metric.metric_id} />}
      {...metricData(report, metric, range.usage)}
      format={formatQuantity}
      note={
        <>
          <AsOf report={report} />. {describe(report, metric)}
        </>
      }
    />
  );
}

type UsedMetric = UsageByMetric['metrics'][number];

function describe(report: UsageByMetric, metric: UsedMetric): string {
  const { event_name: name, metric_type: type, aggregation_type: aggregation } = metric;
  const reads = name === metric.metric_name ? '' : ` It counts events named ${name}.`;
  if (hasQuantity(report, metric))
    return `The ${aggregation} of each customer, added up over all of them.${reads}`;
  const kind = type === 'counter' ? 'Averages' : type === 'gauge' ? 'Levels' : 'Rates';
  return `${kind} of several customers do not add up: these are the events that it counts.${reads}`;
}

interface MetricPickerProps {
  readonly report: UsageByMetric;
  readonly shown: string;
}

function MetricPicker({ report: { metrics, metrics_left_out: leftOut }, shown }: MetricPickerProps) {
  const navigate = useNavigate();
  return (
    <Field
      label="Metric"
      hint={
        leftOut > 0
          ? `The metrics with the most events; ${formatQuantity(leftOut)} more are not listed.`
          : undefined
      }
    >
      <SelectInput
        value={shown}
        onChange={({ target }) =>
          void navigate({
            to: '/',
            search: (now) => ({ ...now, metric: target.value }),
            replace: true,
            resetScroll: false,
          })
        }
      >
        {metrics.map(({ metric_id: id, metric_name: name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectInput>
    </Field>
  );
}
