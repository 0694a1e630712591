import type { InvoicePreview } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import type { InvoiceComparison } from './outlook.js';

/**
 * Compares the invoice of an act with the present: the next invoice without it, or nothing when it is
 * invoiced at once.
 */
export async function compareInvoices(
  customerId: string,
  invoicing: 'invoice_now' | 'add_to_next_invoice',
  { invoices }: Pick<InvoicePreview, 'invoices'>,
): Promise<InvoiceComparison> {
  if (invoicing === 'invoice_now')
    return { caption: 'The invoice that it leads to', now: [], then: invoices };
  const drafts = await recount.getDraftInvoices(customerId);
  const currencies = new Set(invoices.map(({ currency }) => currency.code));
  return {
    caption: 'The next invoice, without and with it',
    now: drafts.invoices.filter(({ currency }) => currencies.has(currency.code)),
    then: invoices,
  };
}
