import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/stream.js';
import type { EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { foldStream } from '../../platform/eventsourcing/store/fold-stream.js';
import type { SubscriptionReader } from '../../subscription/subscription-reader.js';
import { invoiceToVoid, recordOf, remembering, settledOf } from './domain/invoice-to-void.js';
import type { InvoiceToVoid } from './domain/void-invoice.js';

/** Reads the account from its beginning: what it has forgotten of settled terms is needed again. */
export async function loadInvoiceToVoid(
  store: EventStore,
  subscriptions: SubscriptionReader,
  { org, id, invoiceId }: { readonly org: Uuid; readonly id: string; readonly invoiceId: Uuid },
): Promise<Omit<InvoiceToVoid, 'rebill'>> {
  const stream = streamName('account', org, id);
  const { state: record, revision } = await foldStream(store, stream, recordOf(invoiceId));
  if (!record.invoice) throw new Error(`${stream} has no invoice ${invoiceId}`);
  const settled = settledOf(record);
  const remembered =
    settled.length === 0 ? record.state : (await foldStream(store, stream, remembering(), revision)).state;
  const terms = await Promise.all(
    [...record.state.terms.keys()].map((term) => subscriptions.load(org, term)),
  );
  return {
    ...invoiceToVoid(record, settled, remembered),
    termEnds: terms.flatMap((read) => (read ? [read.state.term.end] : [])),
  };
}
