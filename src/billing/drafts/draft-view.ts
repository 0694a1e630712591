import { invoiceLineRows, invoiceRow, usageCloseRow } from '../read-models/invoices.js';
import type { Uuid } from '../../kernel/ids.js';
import type { RunResult } from '../runs/domain/run-result.js';
import { viewOf, type InvoiceView } from '../invoices/invoice-view.js';

/** Invoice that a run would make, as an answer shows it; undefined where it would invoice nothing. */
export function draftView(org: Uuid, run: RunResult): InvoiceView | undefined {
  if (run.kind === 'nothing') return undefined;
  const { invoice, closes } = run;
  return viewOf(
    invoiceRow(org, invoice, -1n),
    invoiceLineRows(org, invoice),
    closes.map((close) => usageCloseRow(org, invoice.customerKey, close)),
  );
}
