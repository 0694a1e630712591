import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { accountId } from '../../billing/decider/domain/account.js';
import type {
  ClosedUsagePeriod,
  ComputedInvoice,
  RunInputs,
} from '../../billing/accounts/domain/event-data.js';
import { issuedInvoice } from '../../billing/accounts/issued-invoice.js';
import { recountsOf } from '../../billing/rating/recounted-usage.js';
import { BillingRunLoader } from '../../billing/runs/billing-run-loader.js';
import {
  readEventCursor,
  readTimeCursor,
  writeEventCursor,
  writeTimeCursor,
  type EventOrdering,
} from '../../billing/usage/event-cursor.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import { streamName } from '../../kernel/event.js';
import { CountedEvents, type CountedEventRow } from '../../metering/counted-events.js';
import { Database } from '../../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';

export interface LineEvents {
  readonly events: readonly CountedEventRow[];
  readonly nextCursor: string | undefined;
}

interface LineEventsPage {
  /** Undefined: by time. */
  readonly ordering: EventOrdering | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Lists the usage events that a line of an invoice counts, in the order of their time. */
export class ListLineEvents extends Query<LineEvents> {
  constructor(
    readonly org: Uuid,
    /** Id or number of the invoice, as the caller wrote it. */
    readonly name: string,
    /** Index of the line on the invoice from 1, as the caller wrote it. */
    readonly line: string,
    readonly page: LineEventsPage,
  ) {
    super();
  }
}

@QueryHandler(ListLineEvents)
export class ListLineEventsHandler implements IQueryHandler<ListLineEvents> {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly loader: BillingRunLoader,
    private readonly counted: CountedEvents,
  ) {}

  /** @throws DomainError `not_found` */
  async execute({ org, name, line, page }: ListLineEvents): Promise<LineEvents> {
    const row = await issuedInvoice(this.database, org, name);
    const account = streamName('account', org, accountId(row.customer_key, row.currency));
    const revision = BigInt(row.computed_revision);
    const { inputs, lines } = await this.invoiceAt(account, revision);
    const counts = /^[1-9]\d{0,8}$/.test(line) ? lines[Number(line) - 1] : undefined;
    if (!counts)
      throw new DomainError(
        'not_found',
        `The invoice has no line ${line}. Give a number from 1 to ${lines.length}.`,
      );
    const closedPeriod = await this.closedPeriod(account, revision, counts.explanation.closeId, inputs);
    if (!closedPeriod) return { events: [], nextCursor: undefined };

    const terms = await this.loader.loadRecordedTerms(org, termsWith(closedPeriod, inputs));
    // The list has all events of the count, also those of an earlier count that it continues.
    const [recounted] = recountsOf(org, [closedPeriod], terms, new Map()).recounts;
    if (!recounted)
      throw new Error(`no term of invoice ${row.invoice_id} has the metric of count ${closedPeriod.closeId}`);
    const { ordering, limit, cursor } = page;
    const after =
      cursor === undefined
        ? undefined
        : ordering === undefined
          ? readEventCursor(cursor)
          : readTimeCursor(ordering, cursor);
    const isNewestFirst = ordering === '-time_created';
    const found = await this.counted.page(recounted.request, { isNewestFirst, after, limit: limit + 1 });
    const events = found.slice(0, limit);
    const last = found.length > limit ? events.at(-1) : undefined;
    if (!last) return { events, nextCursor: undefined };
    const ended = { time: last.event_time, idempotencyId: last.idempotency_id };
    const nextCursor =
      ordering === undefined
        ? writeEventCursor({ ...ended, customerKey: row.customer_key, eventName: last.event_name })
        : writeTimeCursor(ordering, ended);
    return { events, nextCursor };
  }

  private async invoiceAt(account: string, revision: bigint): Promise<ComputedInvoice> {
    for await (const event of this.store.readStream(account, { from: revision, limit: 1 }))
      if (event.type === 'InvoiceComputed') return event.data as ComputedInvoice;
    throw new Error(`revision ${revision} of ${account} is not the invoice that the read model says`);
  }

  /**
   * Finds a closed usage period, backwards from the invoice. A run appends those that it closes right before its invoice; a
   * line can also name an earlier one.
   */
  private async closedPeriod(
    account: string,
    invoiceRevision: bigint,
    closeId: Uuid | undefined,
    { closeIds }: RunInputs,
  ): Promise<ClosedUsagePeriod | undefined> {
    if (closeId === undefined || invoiceRevision === 0n) return undefined;
    const limit = closeIds.includes(closeId) ? closeIds.length : Infinity;
    const options = { direction: 'backwards', from: invoiceRevision - 1n, limit } as const;
    for await (const { type, data } of this.store.readStream(account, options)) {
      const closed = data as ClosedUsagePeriod;
      if (type === 'UsagePeriodClosed' && closed.closeId === closeId) return closed;
    }
    return undefined;
  }
}

/** Selects the term that a count belongs to, which after a switch may be another one than the add-on was counted on. */
function termsWith(
  { subscriptionId, addonSubscriptionId }: ClosedUsagePeriod,
  { terms }: RunInputs,
): RunInputs['terms'] {
  const own = terms.filter((term) =>
    addonSubscriptionId === undefined
      ? term.subscriptionId === subscriptionId
      : term.addons?.some((addon) => addon.addonSubscriptionId === addonSubscriptionId),
  );
  return own.length > 0 ? own : terms;
}
