import { getRouteApi } from '@tanstack/react-router';
import type { AuditLogEntry } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { DataTable, type Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { ExportButton } from '../../shared/export-button.js';
import { FilterForm, type FilterField } from '../../shared/filter-form.js';
import { Instant } from '../../shared/instant.js';
import { Page } from '../../shared/page.js';
import { Pager } from '../../shared/pager.js';
import { Problem } from '../../shared/problem.js';
import { useList } from '../../shared/use-list.js';

const route = getRouteApi('/audit');

const COLUMNS: readonly Column<AuditLogEntry>[] = [
  {
    id: 'at',
    header: 'When',
    cell: ({ recorded_at: at }) => <Instant at={at} />,
    value: ({ recorded_at: at }) => at,
  },
  { id: 'summary', header: 'What', cell: ({ summary }) => summary, value: ({ summary }) => summary },
  {
    id: 'who',
    header: 'Who',
    cell: ({ actor, actor_name: name }) => name ?? actor,
    value: ({ actor, actor_name: name }) => name ?? actor,
  },
  {
    id: 'subject',
    header: 'Subject',
    cell: ({ subject }) => (
      <>
        {subject.kind} <code>{subject.id}</code>
      </>
    ),
    value: ({ subject }) => `${subject.kind} ${subject.id}`,
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
];

/** Lists the events of the audit log. Its filters are in the address. */
export function AuditPage() {
  const { cursor, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'sort'));
  const list = useList('audit', filter, (page) => recount.listAuditLog({ ...filter, ...page }), cursor);
  return (
    <Page
      title="Audit log"
      actions={
        <ExportButton
          name="audit-log"
          columns={COLUMNS}
          read={(page, signal) => recount.listAuditLog({ ...filter, ...page }, { signal })}
        />
      }
    >
      <FilterForm
        fields={FILTERS}
        values={search}
        onFilter={(values) => void navigate({ search: values })}
        error={list.error}
      />
      {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
      <DataTable
        label="Entries of the audit log"
        columns={COLUMNS}
        rows={list.data?.items}
        rowKey={({ position }) => position}
        isStale={list.isPlaceholderData}
        empty={<EmptyState title="No entries">Nothing matches these filters.</EmptyState>}
      />
      {list.data && (
        <Pager
          cursor={cursor}
          next={list.data.next}
          count={list.data.items.length}
          onMove={(to) => void navigate({ search: (now) => ({ ...now, cursor: to }) })}
        />
      )}
    </Page>
  );
}
