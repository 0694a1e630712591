import { getRouteApi, Link } from '@tanstack/react-router';
import type { Subscription } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Badge } from '../../shared/badge.js';
import { customerColumn } from '../../shared/customer-name.js';
import type { Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import type { FilterField } from '../../shared/filter-form.js';
import { ListPage } from '../../shared/list-page.js';
import { PeriodEnd, PeriodStart } from '../../shared/period.js';
import { filtersText } from '../../shared/subscription-filters.js';

const route = getRouteApi('/subscriptions');

/** The service says which values of the address are none. */
type SubscriptionFilter = NonNullable<Parameters<typeof recount.listSubscriptions>[0]>;

const COLUMNS: readonly Column<Subscription>[] = [
  customerColumn,
  {
    id: 'plan',
    header: 'Plan',
    cell: ({ billing_plan: { plan_id: id, plan_name: name, version_id: version } }) => (
      <Link to="/plans/$planId" params={{ planId: id }} search={{ version }}>
        {name}
      </Link>
    ),
    value: ({ billing_plan: { plan_name: name } }) => name,
  },
  {
    id: 'version',
    header: 'Version',
    cell: ({ billing_plan: { version } }) => version,
    value: ({ billing_plan: { version } }) => String(version),
    isMinor: true,
  },
  { id: 'filters', header: 'Filters', cell: filtersText, value: filtersText, isMinor: true },
  {
    id: 'start',
    header: 'From',
    ordering: 'start_date',
    zone: 'UTC',
    cell: ({ start_date: at }) => <PeriodStart at={at} />,
    value: ({ start_date: at }) => at,
    isMinor: true,
  },
  {
    id: 'end',
    header: 'Until',
    ordering: 'end_date',
    zone: 'UTC',
    cell: ({ end_date: at }) => <PeriodEnd at={at} />,
    value: ({ end_date: at }) => at,
    isMinor: true,
  },
  {
    id: 'renews',
    header: 'Renewal',
    cell: ({ auto_renew: renews }) =>
      renews ? <Badge tone="good">renews</Badge> : <Badge tone="warn">ends</Badge>,
    value: ({ auto_renew: renews }) => (renews ? 'renews' : 'ends'),
  },
];

const FILTERS: readonly FilterField[] = [
  { name: 'customer_id', label: 'Customer id' },
  { name: 'plan_id', label: 'Plan id' },
  {
    name: 'status',
    label: 'Status',
    options: { active: 'active', not_started: 'not started', ended: 'ended' },
  },
];

/** Subscriptions of all customers, one row per term. */
export function SubscriptionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { sort: _sort, cursor: _cursor, status, ...rest } = search;
  const filter = { ...rest, ...(status === undefined ? {} : { status: [status] }) };
  return (
    <ListPage
      title="Subscriptions"
      readModels={['subscriptions', 'customers', 'plans']}
      name="subscriptions"
      columns={COLUMNS}
      rowKey={({ subscription_id: id }) => id}
      filters={FILTERS}
      filter={filter}
      read={(page, options) =>
        recount.listSubscriptions({ ...filter, ...page } as SubscriptionFilter, options)
      }
      search={search}
      onSearch={(change) => void navigate({ search: (now) => ({ ...now, ...change }) })}
      empty={
        <EmptyState title="No subscriptions yet">
          Subscribe a customer on its page, under <em>Make changes</em>.
        </EmptyState>
      }
    />
  );
}
