import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import type { Invoice } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { MarkAsPaidAction } from '../../actions/mark-as-paid.js';
import { VoidInvoiceAction } from '../../actions/void-invoice.js';
import { addressText } from '../../shared/address.js';
import { Amount } from '../../shared/amount.js';
import { Fact, Facts } from '../../shared/facts.js';
import { Day, UtcDay } from '../../shared/instant.js';
import { Page, Section } from '../../shared/page.js';
import { QueryView } from '../../shared/query-view.js';
import { isNotFound, ResourceNotFound } from '../../shared/resource-not-found.js';
import { Skeleton } from '../../shared/skeleton.js';
import { EInvoice } from './e-invoice.js';
import { EvidenceButton } from './evidence-button.js';
import { InvoiceLines } from './invoice-lines.js';
import styles from './invoice-page.module.css';
import { PaymentStatus } from './payment-status.js';
import { ReducedBy } from './reduced-by.js';
import { VerificationPanel } from './verification-panel.js';

const route = getRouteApi('/invoices/$invoiceId');

/** Invoice whose lines open to their tiers, times and events. */
export function InvoicePage() {
  const { invoiceId } = route.useParams();
  const query = useQuery({
    queryKey: ['invoices', invoiceId],
    queryFn: ({ signal }) => recount.getInvoice(invoiceId, { signal }),
  });
  const invoice = query.data;
  const trail = <Link to="/invoices">Invoices</Link>;
  if (isNotFound(query.error)) return <ResourceNotFound kind="invoice" id={invoiceId} trail={trail} />;
  return (
    <Page
      title={invoice ? `Invoice ${invoice.invoice_number ?? ''}` : 'Invoice'}
      trail={trail}
      beside={invoice && <PaymentStatus invoice={invoice} />}
      actions={
        invoice && (
          <>
            {invoice.invoice_pdf !== null && (
              <a className={styles.pdf} href={invoice.invoice_pdf} target="_blank" rel="noreferrer">
                <FileText size={14} aria-hidden /> PDF
              </a>
            )}
            <EvidenceButton invoice={invoice} />
            {invoice.payment_status === 'unpaid' && invoice.customer.customer_id !== null && (
              <>
                <MarkAsPaidAction customerId={invoice.customer.customer_id} invoice={invoice} />
                <VoidInvoiceAction customerId={invoice.customer.customer_id} invoice={invoice} />
              </>
            )}
          </>
        )
      }
    >
      <QueryView query={query} skeleton={<Skeleton lines={8} />}>
        {(loaded) => <InvoiceContent invoice={loaded} />}
      </QueryView>
    </Page>
  );
}

function InvoiceContent({ invoice }: { readonly invoice: Invoice }) {
  const { customer, currency, seller } = invoice;
  const { data: owner } = useQuery({
    queryKey: ['customers', customer.customer_id],
    queryFn: ({ signal }) => recount.getCustomer(customer.customer_id ?? '', { signal }),
    enabled: customer.customer_id !== null,
  });
  const zone = owner?.timezone;
  return (
    <>
      <Facts>
        <Fact name="Customer">
          {customer.customer_id === null ? (
            'erased'
          ) : (
            <Link to="/customers/$customerId" params={{ customerId: customer.customer_id }}>
              {customer.customer_name ?? customer.customer_id}
            </Link>
          )}
        </Fact>
        {customer.address && <Fact name="Address">{addressText(customer.address)}</Fact>}
        <Fact name="Seller">
          <div>{seller.name}</div>
          <div>{addressText(seller.address)}</div>
        </Fact>
        <Fact name="Issued">
          <UtcDay at={invoice.issue_date} zone={zone} withTime />
        </Fact>
        <Fact name="Covers">
          <Day day={invoice.start_date} /> to <Day day={invoice.end_date} />
        </Fact>
        <Fact name="Due date">
          {invoice.due_date === null ? 'none' : <UtcDay at={invoice.due_date} zone={zone} withTime />}
        </Fact>
        <Fact name="Amount">
          <Amount value={invoice.amount} currency={currency.code} />
        </Fact>
        <Fact name="Amount due">
          <Amount value={invoice.cost_due} currency={currency.code} />
        </Fact>
        <ReducedBy invoice={invoice} />
      </Facts>
      <Section title="Lines">
        <InvoiceLines invoice={invoice} zone={zone} />
      </Section>
      {invoice.invoice_number !== null && invoice.payment_status !== 'voided' && (
        <EInvoice invoice={invoice} />
      )}
      {invoice.invoice_number !== null && <VerificationPanel invoiceId={invoice.invoice_id} />}
    </>
  );
}
