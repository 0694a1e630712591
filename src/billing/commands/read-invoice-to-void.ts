import type { Uuid } from '../../kernel/ids.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { foldStream } from '../../platform/event-store/fold-stream.js';
import { invoiceToVoid, recordOf, remembering, settledOf } from '../domain/invoice-to-void.js';
import type { InvoiceToVoid } from '../domain/void-invoice.js';

/** Reads the account from its beginning: what it has forgotten of settled terms is needed again. */
export async function readInvoiceToVoid(
  store: EventStore,
  stream: string,
  invoiceId: Uuid,
): Promise<Omit<InvoiceToVoid, 'rebill'>> {
  const { state: record, revision } = await foldStream(store, stream, recordOf(invoiceId));
  if (!record.invoice) throw new Error(`${stream} has no invoice ${invoiceId}`);
  const settled = settledOf(record);
  if (settled.length === 0) return invoiceToVoid(record, settled, record.state);
  const { state } = await foldStream(store, stream, remembering(), revision);
  return invoiceToVoid(record, settled, state);
}
