import { MAX_APPEND_BYTES, type AppendTooLarge } from '../../platform/eventsourcing/store/event-store.js';
import type { RunResult } from '../accounts/domain/run-result.js';

/** Thrown for an invoice of more lines than an event holds. */
export class InvoiceTooLarge extends Error {
  override readonly name = 'InvoiceTooLarge';
}

/** Converts the error of an append that is too large to one that names the invoice and its lines. */
export function tooLargeInvoice(error: AppendTooLarge, run: RunResult): Error {
  if (run.type !== 'InvoiceComputed') return error;
  const { length } = run.invoice.lines;
  const room = Math.floor((length * MAX_APPEND_BYTES) / error.bytes);
  return new InvoiceTooLarge(
    `The invoice would have ${length} lines, and one of this kind has room for some ${room}. Move subscriptions to another customer, or set invoicing intervals so that fewer charges fall due at once.`,
    { cause: error },
  );
}
