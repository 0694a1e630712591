import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { accountId } from '../../billing/decider/domain/account.js';
import { invalidFields, DomainError, unknownId } from '../../kernel/errors.js';
import { comparePositions, type Position, type RecordedEvent, streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { MAX_PAGE_BYTES } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import {
  EVENT_STORE,
  type EventStore,
  type ReadStreamOptions,
} from '../../platform/eventsourcing/store/event-store.js';
import { OpaquePositions } from '../../platform/privacy/vault.js';
import type { Term } from '../../subscription/domain/events.js';
import { BillingOfTerm, inLogOrder, linksWith, type TermLinks } from './term-billing.js';

/** Purpose of the cursor; it differs from that of other positions. */
const CURSOR = 'history';
/** Limit of events of the account that a request examines: a page ends there, even with fewer events than asked for. */
const MAX_EXAMINED = 10_000;
/** Events of the account that are examined before the place where a page begins, as other streams and tables may be behind. */
const MARGIN = 100n;
/** Part of the account in which the begin of a term is not searched any further. */
const SEARCHED = 1_000n;

/** End of a page. */
interface Ended {
  readonly position: Position;
  /** Next revision of the account. */
  readonly revision: bigint;
}

export interface TermHistory extends TermLinks {
  /** Events in the order of the log. */
  readonly events: readonly RecordedEvent[];
  readonly nextCursor: string | undefined;
}

export class GetTermHistory extends Query<TermHistory> {
  constructor(
    readonly org: Uuid,
    /** Undefined for a text that cannot be an id. */
    readonly subscriptionId: Uuid | undefined,
    readonly selection: {
      /** Omits events recorded later: the history as it was known at that time. */
      readonly asOf: Instant | undefined;
      readonly limit: number;
      readonly cursor: string | undefined;
    },
  ) {
    super();
  }
}

/** Reads the events of a term and of its billing from the log, a bounded part in a request (docs/contract.md#history). */
@QueryHandler(GetTermHistory)
export class GetTermHistoryHandler implements IQueryHandler<GetTermHistory> {
  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly positions: OpaquePositions,
  ) {}

  /** @throws DomainError `resource_not_found`; `invalid` for a foreign cursor */
  async execute({ org, subscriptionId, selection }: GetTermHistory): Promise<TermHistory> {
    const after = selection.cursor === undefined ? undefined : this.readCursor(org, selection.cursor);

    // 1. Read the stream of the term. It names the customer, the predecessor and the successor.
    const { first, links, own } = await this.ownOf(org, subscriptionId, selection, after);
    if (!first || !subscriptionId) {
      throw new DomainError('resource_not_found', unknownId('subscription'));
    }

    // 2. Read the stream of the account, which is long, from the end of the page before, until the page is full.
    const { term } = first.data as { readonly term: Term };
    const stream = streamName('account', org, accountId(term.customerKey, term.basis.currency));
    const from = before(after ? after.revision : await this.beginOf(stream, first.position));
    const invoices = after ? await this.invoicesOf(org, subscriptionId) : [];
    const billing = new BillingOfTerm(subscriptionId, invoices);
    const page = new Page(selection.limit);
    const pageUpTo = (end: Ended | undefined): TermHistory => ({
      ...links,
      events: page.events,
      nextCursor: end && this.writeCursor(org, end),
    });
    let ended: Ended = after ?? { position: first.position, revision: from };
    let examined = 0;
    for await (const event of inLogOrder(own, this.store.readStream(stream, { from }))) {
      const isOfAccount = event.stream === stream;
      const shown = isOfAccount ? billing.partOf(event) : event;
      const { position } = event;
      if (after && comparePositions(position, after.position) <= 0) continue;
      if (shown && isKnownBy(shown, selection.asOf)) {
        if (page.isFull) return pageUpTo(ended);
        page.add(shown);
      }
      ended = { position, revision: isOfAccount ? event.revision + 1n : ended.revision };
      if (isOfAccount && (examined += 1) === MAX_EXAMINED) return pageUpTo(ended);
    }
    return pageUpTo(undefined);
  }

  /** Reads the stream of a term, and keeps as much after the end of the page before as a page may have, with one event more. */
  private async ownOf(
    org: Uuid,
    subscriptionId: Uuid | undefined,
    { asOf, limit }: GetTermHistory['selection'],
    after: Ended | undefined,
  ) {
    let first: RecordedEvent | undefined;
    let links: TermLinks = { predecessor: null, successor: null };
    const kept = new Page(limit);
    let next: RecordedEvent | undefined;
    if (subscriptionId) {
      for await (const event of this.store.readStream(streamName('subscription', org, subscriptionId))) {
        if (!isKnownBy(event, asOf)) continue;
        first ??= event;
        links = linksWith(links, event);
        if (after && comparePositions(event.position, after.position) <= 0) continue;
        if (kept.isFull) next ??= event;
        else kept.add(event);
      }
    }
    return { first, links, own: next ? [...kept.events, next] : kept.events };
  }

  /** Finds a revision of the account, near its first event after a position, by halves. */
  private async beginOf(stream: string, position: Position): Promise<bigint> {
    const newest = await this.eventAt(stream, { direction: 'backwards' });
    let [low, high] = [0n, newest?.revision ?? 0n];
    while (high - low > SEARCHED) {
      const middle = (low + high) / 2n;
      const event = await this.eventAt(stream, { from: middle });
      if (event && comparePositions(event.position, position) < 0) low = middle;
      else high = middle;
    }
    return low;
  }

  private async eventAt(stream: string, options: ReadStreamOptions): Promise<RecordedEvent | undefined> {
    for await (const event of this.store.readStream(stream, { ...options, limit: 1 })) return event;
    return undefined;
  }

  /** Returns the invoices of a term, so that the account need not be read from the first one on. */
  private async invoicesOf(org: Uuid, subscriptionId: Uuid): Promise<Uuid[]> {
    const { rows } = await this.database.pool.query<{ invoice_id: Uuid }>({
      name: 'invoices-of-term',
      text: 'select distinct invoice_id from invoice_lines where org = $1 and subscription_id = $2',
      values: [org, subscriptionId],
    });
    return rows.map((row) => row.invoice_id);
  }

  private writeCursor(org: Uuid, { position, revision }: Ended): string {
    return `${this.positions.conceal(org, CURSOR, position)}.${revision}`;
  }

  /** Reads a cursor, also one of an earlier release, without a revision. */
  private readCursor(org: Uuid, cursor: string): Ended {
    const [concealed, revision] = /^([\w-]+)(?:\.(\d{1,18}))?$/.exec(cursor)?.slice(1) ?? [];
    const position = concealed && this.positions.reveal(org, CURSOR, concealed);
    if (position) return { position, revision: BigInt(revision ?? 0) };
    throw invalidFields({
      code: 'invalid',
      detail: 'This cursor is not from a history. Give a cursor from the Link header of the page before.',
      attr: 'cursor',
    });
  }
}

/** Events of a page, up to a number of them and of bytes. */
class Page {
  readonly events: RecordedEvent[] = [];
  #bytes = 0;

  constructor(private readonly limit: number) {}

  get isFull(): boolean {
    return this.events.length === this.limit || this.#bytes >= MAX_PAGE_BYTES;
  }

  add(event: RecordedEvent): void {
    this.events.push(event);
    this.#bytes += Buffer.byteLength(JSON.stringify(event.data));
  }
}

const before = (revision: bigint): bigint => (revision > MARGIN ? revision - MARGIN : 0n);

const isKnownBy = ({ metadata }: RecordedEvent, asOf: Instant | undefined): boolean =>
  asOf === undefined || metadata.recordedAt <= asOf;
