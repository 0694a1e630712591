import { getRouteApi } from '@tanstack/react-router';
import type { CountedEvent, Invoice } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import { DataTable, type Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant } from '../../shared/instant.js';
import { Pager } from '../../shared/pager.js';
import { Problem } from '../../shared/problem.js';
import { useList } from '../../shared/use-list.js';

const route = getRouteApi('/invoices/$invoiceId');

const columnsIn = (zone: string | undefined): readonly Column<CountedEvent>[] => [
  {
    id: 'time',
    header: 'Time',
    zone: zone ?? 'UTC',
    cell: ({ time_created: at }) => <Instant at={at} zone={zone} />,
    value: ({ time_created: at }) => at,
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

/** Lists the events that a line counted. The address has the open page. */
export function CountedEvents(props: CountedEventsProps) {
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
  return (
    <EventPages
      {...props}
      cursor={open === FIRST ? undefined : open}
      onMove={(cursor) => show(cursor ?? FIRST)}
    />
  );
}

interface EventPagesProps extends CountedEventsProps {
  readonly cursor: string | undefined;
  readonly onMove: (cursor: string | undefined) => void;
}

function EventPages({ invoice: { invoice_id: id }, line, zone, cursor, onMove }: EventPagesProps) {
  const list = useList(
    'counted-events',
    { id, line },
    (page, options) => recount.listLineEvents(id, String(line), page, options),
    cursor,
  );
  return (
    <>
      {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
      <DataTable
        label="Events"
        columns={columnsIn(zone)}
        rows={list.data?.items}
        rowKey={({ idempotency_id: event }) => event}
        isStale={list.isPlaceholderData}
        empty={<EmptyState title="No events">Nothing was used in this window.</EmptyState>}
      />
      {list.data && (
        <Pager
          cursor={cursor}
          next={list.data.next}
          count={list.data.items.length}
          isStale={list.isPlaceholderData}
          onMove={onMove}
        />
      )}
    </>
  );
}
