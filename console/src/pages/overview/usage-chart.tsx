import { useQuery } from '@tanstack/react-query';
import { Chart } from '../../charts/chart.js';
import { formatQuantity } from '../../shared/amount.js';
import { EmptyState } from '../../shared/empty-state.js';
import { QueryView } from '../../shared/query-view.js';
import { AsOf } from './as-of.js';
import { usageData } from './chart-rows.js';
import { REPORTS } from './reports.js';

/** Usage events of the last 31 days, with the metrics that read them. */
export function UsageChart() {
  return (
    <QueryView query={useQuery(REPORTS.usage)}>
      {(report) => {
        if (report.rows.length === 0)
          return (
            <EmptyState title="No usage in 31 days">
              Send events with <code>POST /api/track/</code>.
            </EmptyState>
          );
        const { series, rows } = usageData(report);
        const metrics = report.metrics.map(({ metric_name: metric, event_name: event }) =>
          metric === event ? metric : `${metric} (${event})`,
        );
        return (
          <Chart
            title="Usage events by day"
            of="Day"
            series={series}
            rows={rows}
            format={formatQuantity}
            note={
              <>
                <AsOf report={report} />
                {metrics.length > 0
                  ? `. Metrics that read them: ${metrics.join(', ')}`
                  : '. No metric reads them'}
              </>
            }
          />
        );
      }}
    </QueryView>
  );
}
