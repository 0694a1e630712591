import { getRouteApi } from '@tanstack/react-router';
import { AUDIT_SUBJECT_KINDS, type AuditLogEntry } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import type { Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { detailOf, EventSummary } from '../../shared/event-summary.js';
import type { FilterField } from '../../shared/filter-form.js';
import { Instant } from '../../shared/instant.js';
import { ListPage } from '../../shared/list-page.js';
import { midnightOf } from '../../shared/moment.js';
import { AuditSubject } from './audit-subject.js';

const route = getRouteApi('/audit');

/** The service names invalid values of the address. */
type AuditFilter = NonNullable<Parameters<typeof recount.listAuditLog>[0]>;

const COLUMNS: readonly Column<AuditLogEntry>[] = [
  {
    id: 'at',
    ordering: 'recorded_at',
    header: 'When',
    zone: 'UTC',
    cell: ({ recorded_at: at }) => <Instant at={at} />,
    value: ({ recorded_at: at }) => at,
  },
  {
    id: 'summary',
    header: 'What',
    cell: (entry) => <EventSummary event={entry} />,
    value: (entry) => [entry.summary, detailOf(entry)].filter(Boolean).join(' '),
    isWide: true,
  },
  {
    id: 'subject',
    header: 'Subject',
    cell: (entry) => <AuditSubject entry={entry} />,
    value: ({ subject }) => `${subject.kind} ${subject.id}`,
    isMinor: true,
  },
  {
    id: 'who',
    header: 'Who',
    cell: ({ actor, actor_name: name }) => name ?? actor,
    value: ({ actor, actor_name: name }) => name ?? actor,
    isMinor: true,
  },
  {
    id: 'type',
    header: 'Event',
    cell: ({ event_type: type }) => type,
    value: ({ event_type: type }) => type,
    isMinor: true,
  },
];

const FILTERS: readonly FilterField[] = [
  { name: 'customer_id', label: 'Customer id' },
  { name: 'actor', label: 'Actor' },
  { name: 'event_type', label: 'Event type' },
  {
    name: 'subject_kind',
    label: 'Subject',
    options: Object.fromEntries(
      Object.keys(AUDIT_SUBJECT_KINDS).map((kind) => [kind, kind.replaceAll('_', ' ')]),
    ),
  },
  { name: 'from', label: 'From', type: 'date', hint: 'Days in UTC.' },
  { name: 'to', label: 'Until', type: 'date' },
];

/** Lists who did what. Its filters are in the address. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { sort: _sort, cursor: _cursor, from, to, ...others } = search;
  const filter = {
    ...others,
    ...(from === undefined ? {} : { from: midnightOf(from, 0) }),
    ...(to === undefined ? {} : { to: midnightOf(to, 1) }),
  };
  return (
    <ListPage
      title="Audit log"
      readModels={['audit']}
      name="audit-log"
      columns={COLUMNS}
      rowKey={({ position }) => position}
      filters={FILTERS}
      filter={filter}
      read={(page, options) => recount.listAuditLog({ ...filter, ...page } as AuditFilter, options)}
      search={search}
      onSearch={(change) => void navigate({ search: (now) => ({ ...now, ...change }) })}
      empty={<EmptyState title="No entries">No events have been recorded yet.</EmptyState>}
    />
  );
}
