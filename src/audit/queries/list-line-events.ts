import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { accountId } from '../../billing/decider/domain/account.js';
import { issuedInvoice } from '../../billing/accounts/issued-invoice.js';
import { accountRecord } from '../../billing/rating/recompute.js';
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
import { frozenView } from '../../platform/eventsourcing/store/frozen-view.js';

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
    const account = { customerKey: row.customer_key, currency: row.currency };
    const log = frozenView(this.store);
    const stream = streamName('account', org, accountId(account.customerKey, account.currency));
    const record = accountRecord(await log.eventsOf(stream), BigInt(row.computed_revision));
    const computed = record.invoices.get(row.invoice_id);
    const counts = /^[1-9]\d{0,8}$/.test(line) ? computed?.lines[Number(line) - 1] : undefined;
    if (!computed || !counts)
      throw new DomainError(
        'not_found',
        `The invoice has no line ${line}. Give a number from 1 to ${computed?.lines.length ?? 0}.`,
      );
    const closedPeriod = record.closedPeriods.get(counts.explanation.closeId ?? '');
    if (!closedPeriod) return { events: [], nextCursor: undefined };

    const run = { org, account, runId: computed.runId, asOf: computed.asOf };
    const { terms } = await this.loader.withStore(log).loadRecorded(run, computed.inputs);
    const [recounted] = recountsOf(org, [closedPeriod], terms, record.closedPeriods).recounts;
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
        ? writeEventCursor({ ...ended, customerKey: account.customerKey, eventName: last.event_name })
        : writeTimeCursor(ordering, ended);
    return { events, nextCursor };
  }
}
