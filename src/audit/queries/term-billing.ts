import { comparePositions, type RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';

export interface TermLinks {
  /** The term that this one followed. */
  readonly predecessor: Uuid | null;
  /** The term that followed this one. */
  readonly successor: Uuid | null;
}

/** As much as is read of any event: new types follow by the names they use. */
interface Said {
  readonly subscriptionId?: Uuid | null;
  readonly invoiceId?: Uuid;
  readonly lines?: readonly { readonly subscriptionId: Uuid | null }[];
  readonly terms?: readonly { readonly subscriptionId: Uuid }[];
  readonly origin?: { readonly predecessor?: Uuid };
  readonly successor?: { readonly subscriptionId: Uuid };
}

const said = (event: RecordedEvent): Said => event.data as Said;

/** Finds the terms before and after a term in its own events. */
export const linksOf = (own: readonly RecordedEvent[]): TermLinks => ({
  predecessor: own.map((event) => said(event).origin?.predecessor).find(Boolean) ?? null,
  successor: own.map((event) => said(event).successor?.subscriptionId).find(Boolean) ?? null,
});

/**
 * A term's own events and those of its account that bill it, in the order of the log. An invoice is shown with the lines
 * and the standing of this term only: the other terms on it have histories of their own.
 */
export async function* historyOf(
  subscriptionId: Uuid,
  own: readonly RecordedEvent[],
  account: AsyncIterable<RecordedEvent>,
): AsyncGenerator<RecordedEvent> {
  const waiting = [...own];
  for await (const billed of billingOf(subscriptionId, account)) {
    while (waiting[0] && comparePositions(waiting[0].position, billed.position) < 0) yield waiting.shift()!;
    yield billed;
  }
  yield* waiting;
}

async function* billingOf(
  subscriptionId: Uuid,
  account: AsyncIterable<RecordedEvent>,
): AsyncGenerator<RecordedEvent> {
  const invoices = new Set<Uuid>();
  for await (const event of account) {
    const { subscriptionId: about, invoiceId, lines, terms } = said(event);
    const isOfTerm = (part: { readonly subscriptionId: Uuid | null }) =>
      part.subscriptionId === subscriptionId;
    if (lines && invoiceId !== undefined && lines.some(isOfTerm)) {
      invoices.add(invoiceId);
      const data = { ...event.data, lines: lines.filter(isOfTerm), terms: terms?.filter(isOfTerm) };
      yield { ...event, data };
    } else if (about === subscriptionId || (invoiceId !== undefined && invoices.has(invoiceId))) {
      yield event;
    }
  }
}
