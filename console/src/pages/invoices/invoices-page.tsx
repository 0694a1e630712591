import { getRouteApi } from '@tanstack/react-router';
import { recount } from '../../api/client.js';
import { EmptyState } from '../../shared/empty-state.js';
import { ListPage } from '../../shared/list-page.js';
import { invoiceColumns } from './invoice-columns.js';

const route = getRouteApi('/invoices');

const COLUMNS = invoiceColumns();

export function InvoicesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { customer_id: customer, status } = search;
  const filter = {
    ...(customer === undefined ? {} : { customer_id: customer }),
    ...(status === 'paid' || status === 'unpaid' ? { status: [status] as ('paid' | 'unpaid')[] } : {}),
  };
  return (
    <ListPage
      title="Invoices"
      name="invoices"
      columns={COLUMNS}
      rowKey={({ invoice_id: id }) => id}
      filter={filter}
      read={(page, options) => recount.listInvoices({ ...filter, ...page }, options)}
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
