import { getRouteApi } from '@tanstack/react-router';
import type { ExplainedLine, StoredEvent } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import { DataTable, type Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant } from '../../shared/instant.js';
import { Pager } from '../../shared/pager.js';
import { Problem } from '../../shared/problem.js';
import { useList } from '../../shared/use-list.js';

const route = getRouteApi('/invoices/$invoiceId');

const columnsIn = (zone: string | undefined): readonly Column<StoredEvent>[] => [
  {
    id: 'time',
    header: 'Time',
    cell: ({ time_created: at }) => <Instant at={at} zone={zone} withUtc />,
    value: ({ time_created: at }) => at,
  },
  {
    id: 'id',
    header: 'Event',
    cell: ({ idempotency_id: id }) => <code>{id.length > 28 ? `…${id.slice(-27)}` : id}</code>,
    value: ({ idempotency_id: id }) => id,
  },
  {
    id: 'properties',
    header: 'Properties',
    cell: ({ properties }) => <code>{JSON.stringify(properties)}</code>,
    value: ({ properties }) => JSON.stringify(properties),
    isMinor: true,
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => state,
    value: ({ state }) => state,
  },
];

interface CountedEventsProps {
  readonly customerId: string | null;
  readonly subscriptionId: string;
  readonly usage: NonNullable<ExplainedLine['usage']>;
  readonly zone: string | undefined;
}

/** Address of the first page of events; later pages have their cursor instead. */
const FIRST = 'first';

/** Lists the stored events of the window. The address has the open page. */
export function CountedEvents({ customerId, subscriptionId, usage, zone }: CountedEventsProps) {
  const { events: open } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (events: string): void =>
    void navigate({ search: (now) => ({ ...now, events }), resetScroll: false });
  if (open === undefined)
    return (
      <p>
        <Button onClick={() => show(FIRST)}>Show the events</Button>
      </p>
    );
  const filter = {
    ...(customerId === null ? {} : { customer_id: customerId }),
    subscription_id: subscriptionId,
    metric_id: usage.metric_id,
    range_start: usage.window.start,
    range_end: usage.window.end,
  };
  return (
    <EventPages
      filter={filter}
      zone={zone}
      cursor={open === FIRST ? undefined : open}
      onMove={(cursor) => show(cursor ?? FIRST)}
    />
  );
}

interface EventPagesProps {
  readonly filter: NonNullable<Parameters<typeof recount.listEvents>[0]>;
  readonly zone: string | undefined;
  readonly cursor: string | undefined;
  readonly onMove: (cursor: string | undefined) => void;
}

function EventPages({ filter, zone, cursor, onMove }: EventPagesProps) {
  const list = useList('events', filter, (page) => recount.listEvents({ ...filter, ...page }), cursor);
  return (
    <>
      {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
      <DataTable
        label="Events"
        columns={columnsIn(zone)}
        rows={list.data?.items}
        rowKey={({ idempotency_id: id }) => id}
        isStale={list.isPlaceholderData}
        empty={<EmptyState title="No events">Nothing was used in this window.</EmptyState>}
      />
      {list.data && (
        <Pager cursor={cursor} next={list.data.next} count={list.data.items.length} onMove={onMove} />
      )}
    </>
  );
}
