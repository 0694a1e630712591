import { getRouteApi } from '@tanstack/react-router';
import type { CountedEvent, Invoice } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import type { Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant } from '../../shared/instant.js';
import { ListTable } from '../../shared/list-table.js';
import { useOrderedList, type ListState } from '../../shared/use-ordered-list.js';

const route = getRouteApi('/invoices/$invoiceId');

/** The service names the orders that it does not know. */
type LineEventsPage = NonNullable<Parameters<typeof recount.listLineEvents>[2]>;

const columnsIn = (zone: string | undefined): readonly Column<CountedEvent>[] => [
  {
    id: 'time',
    header: 'Time',
    zone: zone ?? 'UTC',
    cell: ({ time_created: at }) => <Instant at={at} zone={zone} />,
    value: ({ time_created: at }) => at,
    ordering: 'time_created',
  },
  {
    id: 'id',
    header: 'Event',
    cell: ({ idempotency_id: id }) => <code title={id}>{id.length > 28 ? `…${id.slice(-27)}` : id}</code>,
    value: ({ idempotency_id: id }) => id,
  },
  {
    id: 'properties',
    header: 'Properties',
    cell: ({ properties }) => <code>{JSON.stringify(properties)}</code>,
    value: ({ properties }) => JSON.stringify(properties),
    isUnsorted: true,
    isMinor: true,
  },
];

interface CountedEventsProps {
  readonly invoice: Invoice;
  /** Place of the line on the invoice, from 1. */
  readonly line: number;
  readonly zone: string | undefined;
}

/** Address of the first page of events; later pages have their cursor instead. */
const FIRST = 'first';

/** Lists the events that a line counted, the earliest first. The address has the open page and the order. */
export function CountedEvents(props: CountedEventsProps) {
  const { events: open, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const show = ({ cursor, ...order }: ListState): void =>
    void navigate({
      search: (now) => ({ ...now, ...order, events: cursor ?? FIRST }),
      resetScroll: false,
    });
  if (open === undefined)
    return (
      <p>
        <Button onClick={() => show({})}>Show events</Button>
      </p>
    );
  return (
    <EventPages {...props} search={{ sort, cursor: open === FIRST ? undefined : open }} onSearch={show} />
  );
}

interface EventPagesProps extends CountedEventsProps {
  readonly search: ListState;
  readonly onSearch: (change: ListState) => void;
}

function EventPages({ invoice: { invoice_id: id }, line, zone, search, onSearch }: EventPagesProps) {
  const columns = columnsIn(zone);
  const list = useOrderedList({
    ...{ name: 'counted-events', columns, filter: { id, line }, search, initialSort: 'time' },
    read: (page, options) => recount.listLineEvents(id, String(line), page as LineEventsPage, options),
  });
  return (
    <ListTable
      label="Events"
      list={list}
      columns={columns}
      rowKey={({ idempotency_id: event }) => event}
      cursor={search.cursor}
      onSearch={onSearch}
      file="counted-events"
      empty={<EmptyState title="No events">Nothing was used in this period.</EmptyState>}
    />
  );
}
