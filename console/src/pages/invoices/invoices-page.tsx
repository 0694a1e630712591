import { getRouteApi } from '@tanstack/react-router';
import { recount } from '../../api/client.js';
import { EmptyState } from '../../shared/empty-state.js';
import type { FilterField } from '../../shared/filter-form.js';
import { ListPage } from '../../shared/list-page.js';
import { invoiceColumns } from './invoice-columns.js';

const route = getRouteApi('/invoices');

const COLUMNS = invoiceColumns();

const FILTERS: readonly FilterField[] = [
  { name: 'customer_id', label: 'Customer id' },
  { name: 'invoice_number', label: 'Number' },
  {
    name: 'status',
    label: 'Status',
    options: {
      not_voided: 'paid or unpaid',
      unpaid: 'unpaid',
      overdue: 'overdue',
      paid: 'paid',
      voided: 'voided',
    },
  },
  { name: 'currency_code', label: 'Currency' },
  { name: 'issued_after', label: 'Issued from', type: 'date', hint: 'Days in UTC.' },
  { name: 'issued_before', label: 'Issued until', type: 'date' },
];

/** The service names invalid values of the address. */
type InvoiceFilter = NonNullable<Parameters<typeof recount.listInvoices>[0]>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Returns the last instant of a day; any other text is an instant already. */
const endOf = (text: string): string => (DAY.test(text) ? `${text}T23:59:59.999999Z` : text);

/** Queries for choices that are no statuses of the API. */
const QUERIES: ReadonlyMap<string, object> = new Map([
  ['not_voided', {}],
  ['overdue', { overdue: true }],
  ['voided', { voided: true }],
]);

const queryOf = (status: string | undefined): object =>
  status === undefined ? { include_voided: true } : (QUERIES.get(status) ?? { status });

export function InvoicesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { sort: _sort, cursor: _cursor, issued_before: before, status, ...others } = search;
  const filter = {
    ...others,
    ...queryOf(status),
    ...(before === undefined ? {} : { issued_before: endOf(before) }),
  };
  return (
    <ListPage
      title="Invoices"
      readModels={['invoices', 'customers']}
      name="invoices"
      columns={COLUMNS}
      rowKey={({ invoice_id: id }) => id}
      filters={FILTERS}
      filter={filter}
      read={(page, options) => recount.listInvoices({ ...filter, ...page } as InvoiceFilter, options)}
      search={search}
      onSearch={(change) => void navigate({ search: (now) => ({ ...now, ...change }) })}
      empty={
        <EmptyState title="No invoices">
          A billing run issues them when a period ends, or when you charge something at once.
        </EmptyState>
      }
    />
  );
}
