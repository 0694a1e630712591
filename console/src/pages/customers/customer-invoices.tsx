import { Link } from '@tanstack/react-router';
import { recount } from '../../api/client.js';
import { EmptyState } from '../../shared/empty-state.js';
import { ListInSection } from '../../shared/list-in-section.js';
import { Section } from '../../shared/page.js';
import { invoiceColumns } from '../invoices/invoice-columns.js';

interface InvoicesProps {
  readonly customerId: string;
  readonly zone: string;
}

/** Lists the invoices of a customer, the newest first. */
export function CustomerInvoices({ customerId, zone }: InvoicesProps) {
  // A number without its invoice would look like a gap.
  const filter = { customer_id: customerId, include_voided: true };
  return (
    <Section
      title="Invoices"
      actions={
        <Link to="/invoices" search={{ customer_id: customerId }}>
          All invoices
        </Link>
      }
    >
      <ListInSection
        name="invoices"
        label="Invoices"
        columns={invoiceColumns(zone).filter(({ id }) => id !== 'customer' && id !== 'pay_by')}
        rowKey={({ invoice_id: id }) => id}
        filter={filter}
        read={(page, options) => recount.listInvoices({ ...filter, ...page } as InvoiceFilter, options)}
        pageSize={10}
        empty={<EmptyState title="No invoices yet" />}
      />
    </Section>
  );
}

/** The service names the orders that it does not know. */
type InvoiceFilter = NonNullable<Parameters<typeof recount.listInvoices>[0]>;
