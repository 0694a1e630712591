import { useState } from 'react';
import type { ExplainedLine, StoredEvent } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Button } from '../../shared/button.js';
import { DataTable, type Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Instant } from '../../shared/instant.js';
import { Problem } from '../../shared/problem.js';
import { useList } from '../../shared/use-list.js';

const COLUMNS: readonly Column<StoredEvent>[] = [
  {
    id: 'time',
    header: 'Time',
    cell: ({ time_created: at }) => <Instant at={at} />,
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
}

/** The stored events of the window, page by page. */
export function CountedEvents({ customerId, subscriptionId, usage }: CountedEventsProps) {
  const [isShown, setShown] = useState(false);
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const filter = {
    ...(customerId === null ? {} : { customer_id: customerId }),
    subscription_id: subscriptionId,
    metric_id: usage.metric_id,
    range_start: usage.window.start,
    range_end: usage.window.end,
  };
  if (!isShown)
    return (
      <p>
        <Button onClick={() => setShown(true)}>Show the events</Button>
      </p>
    );
  return (
    <EventPages
      filter={filter}
      cursor={cursor}
      isFirst={cursors.length === 0}
      onBack={() => setCursors(cursors.slice(0, -1))}
      onNext={(next) => setCursors([...cursors, next])}
    />
  );
}

interface EventPagesProps {
  readonly filter: NonNullable<Parameters<typeof recount.listEvents>[0]>;
  readonly cursor: string | undefined;
  readonly isFirst: boolean;
  readonly onBack: () => void;
  readonly onNext: (cursor: string) => void;
}

function EventPages({ filter, cursor, isFirst, onBack, onNext }: EventPagesProps) {
  const list = useList('events', filter, (page) => recount.listEvents({ ...filter, ...page }), cursor);
  const next = list.data?.next;
  return (
    <>
      {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
      <DataTable
        label="Events"
        columns={COLUMNS}
        rows={list.data?.items}
        rowKey={({ idempotency_id: id }) => id}
        isStale={list.isPlaceholderData}
        empty={<EmptyState title="No events">Nothing was used in this window.</EmptyState>}
      />
      <p>
        <Button disabled={isFirst} onClick={onBack}>
          Back
        </Button>{' '}
        <Button disabled={next === undefined} onClick={() => next !== undefined && onNext(next)}>
          Next
        </Button>
      </p>
    </>
  );
}
