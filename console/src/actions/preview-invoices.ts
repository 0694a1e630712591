import type { Invoice, InvoiceLineItem, InvoicePreview } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { formatAmount } from '../shared/amount.js';
import { sumExactly } from '../shared/exact-sum.js';
import { filtersText } from '../shared/subscription-filters.js';
import { readPage } from '../shared/use-list.js';
import type { Change, InvoiceComparison } from './action-preview.js';

/** Heads an invoice that stands beside no other. */
export const NEW_INVOICE = { caption: 'Resulting invoice', headers: { now: '', then: 'Amount' } };

/** Newest invoices in which earlier charges are looked for. */
const LOOKED_THROUGH = 100;

/**
 * Sets the invoices of an action beside what is: the next invoice as it stands where the action adds to it, and what was
 * charged so far for the same time where the action is invoiced at once.
 */
export async function compareInvoices(
  customerId: string,
  invoicing: 'invoice_now' | 'add_to_next_invoice',
  { invoices }: Pick<InvoicePreview, 'invoices'>,
): Promise<InvoiceComparison> {
  if (invoicing === 'invoice_now') {
    const earlier = await readPage(recount.listInvoices({ customer_id: customerId, limit: LOOKED_THROUGH }));
    return {
      caption: 'Charged so far for the same period, and the invoice issued now',
      headers: { now: 'So far', then: 'This invoice' },
      now: invoices.map((invoice) => chargedBefore(invoice, earlier.items)),
      then: invoices,
      reduced: invoices.flatMap((invoice) => reducedBy(invoice, earlier.items)),
    };
  }
  const drafts = await recount.getDraftInvoices(customerId);
  const currencies = new Set(invoices.map(({ currency }) => currency.code));
  return {
    caption: 'The next invoice, without and with this change',
    headers: { now: 'Without', then: 'With it' },
    now: drafts.invoices.filter(({ currency }) => currencies.has(currency.code)),
    then: invoices,
    none: 'Nothing is invoiced now; the difference goes on the next invoice.',
  };
}

/** Matches the name of a line that takes its amount off an unpaid invoice. */
const REDUCTION = /^Applied to (\d{6}-\d{6,})$/;

/** Lists the invoices that an invoice with a credit reduces, with what is due on each before and after. */
const reducedBy = (
  { line_items: lines, currency: { code } }: Invoice,
  earlier: readonly Invoice[],
): Change[] =>
  lines.flatMap(({ name, amount }) => {
    const number = REDUCTION.exec(name)?.[1];
    const reduced = earlier.find(({ invoice_number: other }) => other === number);
    if (!reduced) return [];
    const then = sumExactly([reduced.cost_due, -amount]);
    return [
      { name: `Due on ${number}`, now: formatAmount(reduced.cost_due, code), then: formatAmount(then, code) },
    ];
  });

/** An invoice with the lines of another one, each with what was charged before for it; lines without it are left out. */
function chargedBefore(invoice: Invoice, earlier: readonly Invoice[]): Invoice {
  const charged = earlier
    .filter(
      ({ payment_status: status, currency }) =>
        status !== 'voided' && currency.code === invoice.currency.code,
    )
    .flatMap(({ line_items: lines }) => lines);
  const taken = new Set<InvoiceLineItem>();
  const before = new Map<InvoiceLineItem, InvoiceLineItem>();
  // Reversals first: they take back what was charged, which another line of the same name charges anew.
  for (const line of invoice.line_items.toSorted((a, b) => Math.sign(a.amount) - Math.sign(b.amount))) {
    const same = charged.filter((one) => !taken.has(one) && isForSame(one, line));
    for (const one of same) taken.add(one);
    if (same.length > 0)
      before.set(line, {
        ...line,
        amount: sumExactly(same.map(({ amount }) => amount)),
        subtotal: sumExactly(same.map(({ subtotal }) => subtotal)),
        adjustments: same.flatMap(({ adjustments }) => adjustments),
      });
  }
  const lines = invoice.line_items.flatMap((line) => before.get(line) ?? []);
  return { ...invoice, line_items: lines, amount: sumExactly(lines.map(({ amount }) => amount)) };
}

const filtersOf = ({ subscription_filters: filters }: InvoiceLineItem): string =>
  filtersText({ subscription_filters: filters ?? [] });

/** Tells whether two lines charge for the same thing at overlapping times. */
const isForSame = (one: InvoiceLineItem, other: InvoiceLineItem): boolean =>
  one.name === other.name &&
  one.plan?.version_id === other.plan?.version_id &&
  filtersOf(one) === filtersOf(other) &&
  Date.parse(one.start_date) < Date.parse(other.end_date) &&
  Date.parse(other.start_date) < Date.parse(one.end_date);
