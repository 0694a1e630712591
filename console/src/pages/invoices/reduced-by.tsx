import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Invoice } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Amount } from '../../shared/amount.js';
import { Fact } from '../../shared/facts.js';
import { readPage } from '../../shared/use-list.js';
import { reductionsOf } from './reductions.js';

/** Number of later invoices in which reductions are looked for, the next ones first. */
const LOOKED_THROUGH = 100;

/** Names the invoices that reduced what is due on this one; nothing where its whole amount is due. */
export function ReducedBy({ invoice }: { readonly invoice: Invoice }) {
  const { invoice_id: id, invoice_number: number, customer, currency, issue_date: issued } = invoice;
  const isReduced = invoice.cost_due < invoice.amount && invoice.payment_status !== 'voided';
  const { data: later } = useQuery({
    queryKey: ['invoices', id, 'later'],
    queryFn: ({ signal }) =>
      readPage(
        recount.listInvoices(
          {
            ...{ customer_id: customer.customer_id ?? '', currency_code: currency.code },
            ...{ issued_after: issued, ordering: 'issue_date', limit: LOOKED_THROUGH },
          },
          { signal },
        ),
      ),
    enabled: isReduced && number !== null && customer.customer_id !== null,
  });
  const reductions = number === null || !later ? [] : reductionsOf(number, later.items);
  if (reductions.length === 0) return null;
  return (
    <Fact name="Reduced by">
      {reductions.map(({ invoiceId, number: other, amount }) => (
        <div key={invoiceId} className="in-text">
          <Link to="/invoices/$invoiceId" params={{ invoiceId }} className="unbroken">
            {other ?? invoiceId}
          </Link>{' '}
          <Amount value={amount} currency={currency.code} />
        </div>
      ))}
    </Fact>
  );
}
