import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Customer, StoredEvent } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { customerQuery } from '../../api/customer.js';
import { Badge, type Tone } from '../../shared/badge.js';
import { CustomerName } from '../../shared/customer-name.js';
import type { Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import type { FilterField } from '../../shared/filter-form.js';
import { Instant } from '../../shared/instant.js';
import { ListPage } from '../../shared/list-page.js';

const route = getRouteApi('/events');

/** The service says which values of the address are none. */
type EventFilter = NonNullable<Parameters<typeof recount.listEvents>[0]>;

const TONES: Readonly<Record<StoredEvent['state'], Tone>> = {
  counted: 'good',
  pending: 'info',
  late: 'warn',
  not_charged: 'neutral',
  uncounted: 'bad',
};

/** @param customer customer of the filter, whose zone and name are known */
const columnsIn = (customer: Customer | undefined): readonly Column<StoredEvent>[] => [
  {
    id: 'time',
    header: 'Time',
    zone: customer?.timezone ?? 'UTC',
    cell: ({ time_created: at }) => <Instant at={at} zone={customer?.timezone} />,
    value: ({ time_created: at }) => at,
    ordering: 'time_created',
  },
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer_id: id }) => (
      <CustomerName id={id} name={customer?.customer_id === id ? customer.customer_name : id} />
    ),
    value: ({ customer_id: id }) => id,
    isMinor: true,
  },
  {
    id: 'name',
    header: 'Event',
    cell: ({ event_name: name }) => name,
    value: ({ event_name: name }) => name,
  },
  {
    id: 'id',
    header: 'Id',
    cell: ({ idempotency_id: id }) => <code title={id}>{id.length > 28 ? `…${id.slice(-27)}` : id}</code>,
    value: ({ idempotency_id: id }) => id,
    isMinor: true,
  },
  {
    id: 'properties',
    header: 'Properties',
    cell: ({ properties }) => <code>{JSON.stringify(properties)}</code>,
    value: ({ properties }) => JSON.stringify(properties),
    isUnsorted: true,
    isMinor: true,
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, reason }) => (
      <>
        <Badge tone={TONES[state]}>{state.replace('_', ' ')}</Badge> {reason?.replaceAll('_', ' ')}
      </>
    ),
    value: ({ state }) => state,
  },
];

const INSTANT_HINT = 'In UTC, such as 2026-05-01T00:00:00Z.';

const FILTERS: readonly FilterField[] = [
  { name: 'customer_id', label: 'Customer id' },
  { name: 'event_name', label: 'Event name' },
  { name: 'metric_id', label: 'Metric id' },
  { name: 'subscription_id', label: 'Subscription id' },
  {
    name: 'state',
    label: 'State',
    options: {
      counted: 'counted',
      pending: 'pending',
      late: 'late',
      not_charged: 'not charged',
      uncounted: 'uncounted',
    },
  },
  { name: 'range_start', label: 'From', hint: INSTANT_HINT },
  { name: 'range_end', label: 'Until', hint: 'Events at this exact time are left out.' },
];

/** Usage events as they were sent, the latest first, and whether an invoice counts them. */
export function EventsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { sort: _sort, cursor: _cursor, state, ...rest } = search;
  const filter = { ...rest, ...(state === undefined ? {} : { state: [state] }) } as EventFilter;
  const { data: customer } = useQuery({
    ...customerQuery(search.customer_id ?? ''),
    enabled: search.customer_id !== undefined,
  });
  return (
    <ListPage
      title="Usage events"
      // Events are read from the usage log itself; what became of them, from these.
      readModels={['customers', 'subscriptions', 'invoices']}
      name="events"
      columns={columnsIn(customer)}
      rowKey={({ customer_key: key, idempotency_id: id }) => `${key} ${id}`}
      filters={FILTERS}
      filter={filter}
      read={(page, options) => recount.listEvents({ ...filter, ...page } as EventFilter, options)}
      initialSort="-time"
      search={search}
      onSearch={(change) => void navigate({ search: (now) => ({ ...now, ...change }) })}
      empty={
        <EmptyState title="No usage events yet">
          Send them with <code>POST /api/track/</code>.
        </EmptyState>
      }
    />
  );
}
