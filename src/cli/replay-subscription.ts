import type { INestApplicationContext } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetTermHistory, type TermHistory } from '../audit/queries/get-term-history.js';
import type { AccountEvent } from '../billing/accounts/domain/events.js';
import type { InvoiceLine } from '../billing/accounts/domain/event-data.js';
import { formatPosition, type RecordedEvent } from '../kernel/event.js';
import { toWireId, type Uuid } from '../kernel/ids.js';
import { formatInstant, type Instant } from '../kernel/instant.js';
import { fromStored, toDecimal, type StoredMoney } from '../kernel/money.js';
import { onOneLine } from '../kernel/printable-text.js';
import type { Output } from './output.js';

/** Number of events of a term read at once. */
const PAGE = 1_000;

/**
 * Prints a subscription from its first term to its last, with every event of each term and of its billing.
 * @param asOf omits events recorded later
 */
export async function* replaySubscription(
  app: INestApplicationContext,
  org: Uuid,
  subscriptionId: Uuid,
  asOf?: Instant,
): AsyncGenerator<Output, boolean> {
  const queries = app.get(QueryBus);
  const pageOf = (id: Uuid, limit: number, cursor?: string): Promise<TermHistory> =>
    queries.execute(new GetTermHistory(org, id, { asOf, limit, cursor }));

  // 1. Go back to the first term: a renewal and a switch name their predecessor.
  let first = subscriptionId;
  for (let before: Uuid | null = first; before; before = (await pageOf(before, 1)).predecessor)
    first = before;

  // 2. Print the terms in order.
  for (let term: Uuid | null = first; term;) {
    const id = toWireId('sub', term);
    yield { text: `subscription ${id}`, fields: { subscription_id: id } };
    let page: TermHistory = await pageOf(term, PAGE);
    for (;;) {
      for (const event of page.events) yield describe(event);
      if (page.nextCursor === undefined) break;
      page = await pageOf(term, PAGE, page.nextCursor);
    }
    term = page.successor;
  }
  return true;
}

function describe(event: RecordedEvent): Output {
  const { type, position, metadata, data } = event;
  const [recordedAt, at] = [formatInstant(metadata.recordedAt), formatPosition(position)];
  const lines = type === 'InvoiceComputed' ? invoiceLines(event as Computed) : [JSON.stringify(data)];
  return {
    text: [
      `  ${recordedAt}  ${type}  at ${at}, by ${metadata.actor}`,
      ...lines.map((line) => `      ${line}`),
    ].join('\n'),
    fields: { type, recorded_at: recordedAt, position: at, actor: metadata.actor, data },
  };
}

function invoiceLines({ data }: Computed): string[] {
  const { invoiceId, total, costDue, fingerprint, resultHash, lines } = data;
  return [
    ...lines.map(chargeText),
    `${toWireId('invoice', invoiceId)}: total ${moneyText(total)}, due ${moneyText(costDue)}`,
    `fingerprint ${fingerprint}, result ${resultHash}`,
  ];
}

type Computed = RecordedEvent<Extract<AccountEvent, { type: 'InvoiceComputed' }>>;

function chargeText({ name, period, quantity, base, amount, explanation }: InvoiceLine): string {
  const { rule, fraction, closeId, previousCloseId, taxRate } = explanation;
  const from = [
    rule,
    quantity === null ? '' : `quantity ${quantity}`,
    fraction ? `share ${fraction}` : '',
    closeId ? `close ${closeId}` : '',
    previousCloseId ? `less close ${previousCloseId}` : '',
    `base ${moneyText(base)}`,
    taxRate ? `tax ${taxRate} %` : '',
  ].filter(Boolean);
  const [start, end] = [formatInstant(period.start), formatInstant(period.end)];
  return `${moneyText(amount)}  ${onOneLine(name)}, ${start} to ${end} (${from.join(', ')})`;
}

const moneyText = (stored: StoredMoney): string => `${toDecimal(fromStored(stored))} ${stored.currency}`;
