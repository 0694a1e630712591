import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { recount } from '../../api/client.js';
import { DataTable } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Section } from '../../shared/page.js';
import { Problem } from '../../shared/problem.js';
import { readPage } from '../../shared/use-list.js';
import { invoiceColumns } from '../invoices/invoice-columns.js';

interface InvoicesProps {
  readonly customerId: string;
  readonly zone: string;
}

/** Lists the newest invoices of a customer. */
export function CustomerInvoices({ customerId, zone }: InvoicesProps) {
  const query = useQuery({
    queryKey: ['invoices', 'of', customerId],
    queryFn: ({ signal }) =>
      readPage(recount.listInvoices({ customer_id: customerId, limit: 10 }, { signal })),
  });
  return (
    <Section
      title="Invoices"
      actions={
        <Link to="/invoices" search={{ customer_id: customerId }}>
          All invoices
        </Link>
      }
    >
      {query.error && <Problem error={query.error} retry={() => void query.refetch()} />}
      {!query.error && (
        <DataTable
          label="Invoices"
          columns={invoiceColumns(zone).filter(({ id }) => id !== 'customer' && id !== 'pay_by')}
          rows={query.data?.items}
          rowKey={({ invoice_id: id }) => id}
          empty={<EmptyState title="No invoices">The first one is issued when a period ends.</EmptyState>}
        />
      )}
    </Section>
  );
}
