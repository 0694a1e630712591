import { comparePositions, type RecordedEvent } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';

export interface TermLinks {
  /** Term before this one. */
  readonly predecessor: Uuid | null;
  /** Term after this one. */
  readonly successor: Uuid | null;
}

/** Fields read from any event; a new event type with these names needs no code here. */
interface TermEventData {
  readonly subscriptionId?: Uuid | null;
  readonly invoiceId?: Uuid;
  readonly lines?: readonly { readonly subscriptionId: Uuid | null }[];
  readonly terms?: readonly { readonly subscriptionId: Uuid }[];
  readonly origin?: { readonly predecessor?: Uuid };
  readonly successor?: { readonly subscriptionId: Uuid };
}

const dataOf = (event: RecordedEvent): TermEventData => event.data as TermEventData;

/** Finds the terms before and after a term in its own events. */
export const linksOf = (own: readonly RecordedEvent[]): TermLinks => ({
  predecessor: own.map((event) => dataOf(event).origin?.predecessor).find(Boolean) ?? null,
  successor: own.map((event) => dataOf(event).successor?.subscriptionId).find(Boolean) ?? null,
});

/**
 * Merges the events of a term with the events of its account that bill it, in the order of the log. Of an
 * invoice it keeps the lines and the billing status of this term only.
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
    const { subscriptionId: about, invoiceId, lines, terms } = dataOf(event);
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
