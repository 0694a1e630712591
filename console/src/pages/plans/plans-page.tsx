import { getRouteApi, Link } from '@tanstack/react-router';
import type { Plan } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Badge } from '../../shared/badge.js';
import { buttonClass } from '../../shared/button.js';
import type { Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import type { FilterField } from '../../shared/filter-form.js';
import { ListPage } from '../../shared/list-page.js';
import { planPrice } from './plan-price.js';

const route = getRouteApi('/plans');

/** The service names invalid values of the address. */
type PlanFilter = NonNullable<Parameters<typeof recount.listPlans>[0]>;

const COLUMNS: readonly Column<Plan>[] = [
  {
    id: 'name',
    header: 'Plan',
    cell: ({ plan_id: id, plan_name: name }) => (
      <Link to="/plans/$planId" params={{ planId: id }}>
        {name}
      </Link>
    ),
    value: ({ plan_name: name }) => name,
    ordering: 'plan_name',
    hasNumberedNames: true,
  },
  {
    id: 'duration',
    header: 'Period',
    cell: ({ plan_duration: duration }) => duration ?? 'none',
    value: ({ plan_duration: duration }) => duration,
    isMinor: true,
  },
  {
    id: 'recurring',
    header: 'Recurring',
    cell: (plan) => planPrice(plan) ?? 'none',
    value: ({ display_version: { flat_rate: rate } }) => rate,
    group: ({ display_version: { currency } }) => currency.code,
    exported: () => [
      { header: 'Recurring', value: ({ display_version: version }) => version.flat_rate },
      { header: 'Currency', value: ({ display_version: version }) => version.currency.code },
    ],
    align: 'end',
    isMinor: true,
  },
  {
    id: 'version',
    header: 'Current version',
    cell: ({ active_version: active }) => (active === 0 ? 'none on sale' : `v${active}`),
    value: ({ active_version: active }) => active,
  },
  {
    id: 'versions',
    header: 'Versions',
    cell: ({ num_versions: count }) => count,
    value: ({ num_versions: count }) => count,
    align: 'end',
    isMinor: true,
  },
  {
    id: 'subscriptions',
    header: 'Active subscriptions',
    cell: ({ plan_id: id, active_subscriptions: count }) => (
      <Link to="/subscriptions" search={{ plan_id: id, status: 'active' }}>
        {count}
        <span className="visually-hidden"> active subscriptions</span>
      </Link>
    ),
    value: ({ active_subscriptions: count }) => count,
    ordering: 'active_subscriptions',
    align: 'end',
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Badge tone={status === 'active' ? 'good' : 'neutral'}>{status}</Badge>,
    value: ({ status }) => status,
    isMinor: true,
  },
];

const FILTERS: readonly FilterField[] = [
  {
    name: 'duration',
    label: 'Period',
    options: { monthly: 'monthly', quarterly: 'quarterly', yearly: 'yearly' },
  },
  {
    name: 'version_status',
    label: 'Has a version',
    options: { active: 'on sale', ended: 'no longer on sale', not_started: 'not on sale yet' },
  },
  {
    name: 'version_custom_type',
    label: 'Made for',
    options: { public_only: 'everyone', custom_only: 'named customers' },
  },
  { name: 'version_currency_code', label: 'Currency' },
  { name: 'include_tags', label: 'Tags', hint: 'Any of these, separated by commas.' },
];

export function PlansPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { sort: _sort, cursor: _cursor, ...filter } = search;
  return (
    <ListPage
      title="Plans"
      readModels={['plans', 'subscriptions']}
      name="plans"
      columns={COLUMNS}
      rowKey={({ plan_id: id }) => id}
      filters={FILTERS}
      filter={filter}
      read={(page, options) => recount.listPlans({ ...filter, ...page } as PlanFilter, options)}
      search={search}
      onSearch={(change) => void navigate({ search: (now) => ({ ...now, ...change }) })}
      empty={
        <EmptyState title="No plans yet">
          <Link to="/plans/new">Create one</Link> with its first version.
        </EmptyState>
      }
      actions={
        <Link to="/plans/new" className={buttonClass('primary')}>
          New plan
        </Link>
      }
    />
  );
}
