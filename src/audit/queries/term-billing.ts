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

/** Adds to the links of a term what one of its own events says. */
export const linksWith = ({ predecessor, successor }: TermLinks, event: RecordedEvent): TermLinks => ({
  predecessor: predecessor ?? dataOf(event).origin?.predecessor ?? null,
  successor: successor ?? dataOf(event).successor?.subscriptionId ?? null,
});

/** Merges the events of a term with those of its account, in the order of the log. */
export async function* inLogOrder(
  own: readonly RecordedEvent[],
  account: AsyncIterable<RecordedEvent>,
): AsyncGenerator<RecordedEvent> {
  const waiting = [...own];
  for await (const event of account) {
    while (waiting[0] && comparePositions(waiting[0].position, event.position) < 0) yield waiting.shift()!;
    yield event;
  }
  yield* waiting;
}

/** Finds the events of an account that bill a term, in the order of the account. */
export class BillingOfTerm {
  readonly #invoices: Set<Uuid>;

  /** @param invoices those of the term that are known already */
  constructor(
    private readonly subscriptionId: Uuid,
    invoices: readonly Uuid[],
  ) {
    this.#invoices = new Set(invoices);
  }

  /** Returns the event if it bills the term; of an invoice the lines and the billing status of this term only. */
  partOf(event: RecordedEvent): RecordedEvent | undefined {
    const { subscriptionId: about, invoiceId, lines, terms } = dataOf(event);
    const isOfTerm = (part: { readonly subscriptionId: Uuid | null }) =>
      part.subscriptionId === this.subscriptionId;
    if (lines && invoiceId !== undefined && lines.some(isOfTerm)) {
      this.#invoices.add(invoiceId);
      const data = { ...event.data, lines: lines.filter(isOfTerm), terms: terms?.filter(isOfTerm) };
      return { ...event, data };
    }
    const bills = about === this.subscriptionId || (invoiceId !== undefined && this.#invoices.has(invoiceId));
    return bills ? event : undefined;
  }
}
