import { useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  Customer,
  MetricAccess,
  Subscription,
  Usage,
  UsageAlert,
} from '../../../../clients/typescript/src/index.js';
import { NewAlert } from '../../actions/new-alert.js';
import { recount } from '../../api/client.js';
import { subscriptionsQuery } from '../../api/subscriptions.js';
import { formatAmount, formatQuantity } from '../../shared/amount.js';
import { Badge } from '../../shared/badge.js';
import type { Column } from '../../shared/data-table.js';
import { WholeTable } from '../../shared/whole-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import { filtersText, nameOfTerm } from '../../shared/subscription-filters.js';
import { WindowLink } from './window-link.js';

interface LimitRow {
  readonly key: string;
  readonly metric: string;
  readonly plan: string;
  readonly access: MetricAccess['access_per_subscription'][number];
  readonly alerts: readonly UsageAlert[];
  /** The window that runs. */
  readonly window: Usage | undefined;
}

const isUsedUp = ({ metric_usage: used, metric_total_limit: limit }: LimitRow['access']): boolean =>
  limit !== null && used >= limit;
const limitText = (limit: number | null): string => (limit === null ? 'none' : formatQuantity(limit));

const columnsIn = (currency: string): readonly Column<LimitRow>[] => [
  {
    id: 'metric',
    header: 'Metric',
    cell: ({ metric, plan }) => (
      <>
        {metric} <Badge isName>{plan}</Badge>
      </>
    ),
    value: ({ metric, plan }) => `${metric}, ${plan}`,
  },
  {
    id: 'used',
    header: 'Used',
    cell: ({ access, window }) => (
      <>
        {window ? (
          <WindowLink usage={window} figure={formatQuantity(access.metric_usage)} />
        ) : (
          formatQuantity(access.metric_usage)
        )}{' '}
        {isUsedUp(access) && <Badge tone="bad">limit reached</Badge>}
      </>
    ),
    value: ({ access }) => access.metric_usage,
    align: 'end',
  },
  {
    id: 'free',
    header: 'Included free',
    cell: ({ access }) => limitText(access.metric_free_limit),
    value: ({ access }) => access.metric_free_limit,
    align: 'end',
    isMinor: true,
  },
  {
    id: 'limit',
    header: 'Limit',
    cell: ({ access }) => limitText(access.metric_total_limit),
    value: ({ access }) => access.metric_total_limit,
    align: 'end',
  },
  {
    id: 'alerts',
    header: 'Alerts',
    cell: ({ alerts, access }) =>
      alerts.length === 0
        ? '–'
        : alerts.map((alert) => (
            <div key={alert.usage_alert_id}>
              {alert.name} at {thresholdText(alert, currency)}{' '}
              {isReached(alert, access) && <Badge tone="warn">reached</Badge>}
            </div>
          )),
    value: ({ alerts }) => alerts.map(({ name }) => name).join(', '),
    isMinor: true,
  },
];

/** Tells whether this window has triggered an alert of units; alerts of amounts are left out. */
const isReached = ({ threshold_type: type, threshold }: UsageAlert, access: LimitRow['access']): boolean =>
  type === 'units' && access.metric_usage >= threshold;

const thresholdText = ({ threshold_type: type, threshold }: UsageAlert, currency: string): string =>
  type === 'amount' ? formatAmount(threshold, currency) : formatQuantity(threshold);

interface LimitsProps {
  readonly customerId: string;
  readonly customer: Customer;
}

/** Number of metrics whose limits are requested, one request each. */
const MOST_METRICS = 20;

/** Shows the remaining units of each metric, and the watched thresholds. */
export function CustomerLimits({ customerId, customer }: LimitsProps) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: ['limits', customerId],
    queryFn: async ({ signal }) =>
      readLimits(customerId, await queryClient.fetchQuery(subscriptionsQuery(customerId)), signal),
  });
  return (
    <Section title="Limits and alerts" actions={<NewAlert customerId={customerId} />}>
      {query.error && <Problem error={query.error} retry={() => void query.refetch()} />}
      {!query.error && (
        <WholeTable
          file="limits"
          label="Limits and alerts"
          columns={columnsIn(customer.default_currency.code)}
          rows={query.data}
          rowKey={({ key }) => key}
          empty={
            <EmptyState title="No metered usage">
              No active subscription has usage prices, so there are no limits.
            </EmptyState>
          }
        />
      )}
    </Section>
  );
}

type Term = LimitRow['access']['subscription'];

/** Access names a subscription by what it consists of, not by its id. */
const isSame = (
  one: Subscription,
  { start_date: start, plan, subscription_filters: filters }: Term,
): boolean =>
  one.start_date === start &&
  one.billing_plan.plan_id === plan.plan_id &&
  filtersText(one) === filtersText({ subscription_filters: filters });

async function readLimits(
  customerId: string,
  terms: ReadonlyMap<string, Subscription>,
  signal: AbortSignal,
): Promise<readonly LimitRow[]> {
  const [usage, alerts] = await Promise.all([
    recount.getUsage({ customer_id: customerId, granularity: 'window', limit: 1_000 }, { signal }).all(),
    recount.listUsageAlerts({ limit: 1_000 }, { signal }).all(),
  ]);
  const running = usage.filter(({ window }) => window.state === 'running');
  const metrics = [...new Set(running.map(({ metric_id: id }) => id))].slice(0, MOST_METRICS);
  const accesses = await Promise.all(
    metrics.map((metric) =>
      recount.getMetricAccess({ customer_id: customerId, metric_id: metric }, { signal }),
    ),
  );
  return accesses.flatMap(
    ({ metric: { metric_id: id, metric_name: name }, access_per_subscription: accessed }) =>
      accessed
        // A subscription without the metric has 0 for all three.
        .filter(({ metric_usage: used, metric_total_limit: limit }) => limit !== 0 || used > 0)
        .map((access, index) => {
          const { plan } = access.subscription;
          const term = [...terms.values()].find((one) => isSame(one, access.subscription));
          return {
            key: `${id} ${index}`,
            metric: name,
            plan: term ? nameOfTerm(term) : plan.plan_name,
            access,
            window: running.find(
              (row) => row.metric_id === id && row.subscription_id === term?.subscription_id,
            ),
            alerts: alerts.filter(
              (alert) =>
                alert.metric_id === id &&
                (alert.customer_id === customerId || alert.plan_id === plan.plan_id),
            ),
          };
        }),
  );
}
