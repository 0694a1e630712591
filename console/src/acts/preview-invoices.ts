import type { Invoice, InvoicePreview, Subscription } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { sumExactly } from '../shared/exact-sum.js';
import { filtersText } from '../shared/subscription-filters.js';
import type { InvoiceComparison } from './outlook.js';

/**
 * Compares the invoices of an act with the next invoice as it stands: the whole of it where the act adds to it, the
 * lines of the changed subscriptions where the act is invoiced at once.
 */
export async function compareInvoices(
  customerId: string,
  invoicing: 'invoice_now' | 'add_to_next_invoice',
  { invoices }: Pick<InvoicePreview, 'invoices'>,
  changed: readonly Subscription[],
): Promise<InvoiceComparison> {
  const drafts = await recount.getDraftInvoices(customerId);
  if (invoicing === 'invoice_now') {
    return {
      caption: 'Now: its lines on the next invoice. Then: the invoice at once.',
      now: drafts.invoices.flatMap((draft) => onlyLinesOf(draft, changed)),
      then: invoices,
    };
  }
  const currencies = new Set(invoices.map(({ currency }) => currency.code));
  return {
    caption: 'The next invoice, without and with it',
    now: drafts.invoices.filter(({ currency }) => currencies.has(currency.code)),
    then: invoices,
    none: 'Nothing is invoiced now: the next invoice has the difference.',
  };
}

/** Keeps the lines of some subscriptions; nothing where the draft has none. */
function onlyLinesOf(draft: Invoice, subscriptions: readonly Subscription[]): Invoice[] {
  const lines = draft.line_items.filter(({ plan, subscription_filters: filters }) =>
    subscriptions.some(
      (one) =>
        one.billing_plan.version_id === plan?.version_id &&
        filtersText(one) === filtersText({ subscription_filters: filters ?? [] }),
    ),
  );
  if (lines.length === 0) return [];
  return [{ ...draft, line_items: lines, amount: sumExactly(lines.map(({ amount }) => amount)) }];
}
