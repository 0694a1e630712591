import { useQuery } from '@tanstack/react-query';
import type { Invoice, InvoiceLineItem } from '../../../../clients/typescript/src/index.js';
import { recount } from '../../api/client.js';
import { Amount } from '../../shared/amount.js';

/** Tells whether a line is what credits pay. */
const isDrawdown = ({ plan, amount }: InvoiceLineItem): boolean => plan === null && amount < 0;

interface DrawnCreditsProps {
  readonly invoice: Invoice;
  readonly item: InvoiceLineItem;
}

/** Names the credits that pay a part of the invoice; nothing at another line. */
export function DrawnCredits({ invoice, item }: DrawnCreditsProps) {
  const { invoice_id: id, customer, currency } = invoice;
  const { data: credits = [] } = useQuery({
    queryKey: ['credits', 'of-invoice', id],
    queryFn: ({ signal }) =>
      recount
        .listCredits(
          { customer_id: customer.customer_id ?? '', currency_code: currency.code, limit: 1000 },
          { signal },
        )
        .all(),
    enabled: isDrawdown(item) && customer.customer_id !== null,
  });
  if (!isDrawdown(item)) return null;
  const drawn = credits.flatMap(({ credit_id: credit, description: name, drawdowns }) =>
    drawdowns
      .filter(({ description }) => description.includes(id))
      .map(({ amount }) => ({ credit, name: name ?? 'Credit', amount })),
  );
  return drawn.map(({ credit, name, amount }, index) => (
    <span key={credit}>
      {index > 0 && ', '}
      {name} <Amount value={amount} currency={currency.code} />
    </span>
  ));
}
