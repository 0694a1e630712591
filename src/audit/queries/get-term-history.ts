import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { accountId } from '../../billing/decider/domain/account.js';
import { invalidFields, DomainError, unknownId } from '../../kernel/errors.js';
import { comparePositions, type Position, type RecordedEvent, streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { OpaquePositions } from '../../platform/privacy/vault.js';
import type { Term } from '../../subscription/domain/events.js';
import { historyOf, linksOf, type TermLinks } from './term-billing.js';

/** Purpose of the cursor; it differs from that of other positions. */
const CURSOR = 'history';

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

/** Reads the events of a term and of its billing from the log (docs/contract.md#history). */
@QueryHandler(GetTermHistory)
export class GetTermHistoryHandler implements IQueryHandler<GetTermHistory> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly positions: OpaquePositions,
  ) {}

  /** @throws DomainError `resource_not_found`; `invalid` for a foreign cursor */
  async execute({ org, subscriptionId, selection }: GetTermHistory): Promise<TermHistory> {
    const after = selection.cursor === undefined ? undefined : this.readPosition(org, selection.cursor);

    // 1. Read the stream of the term, which is short. It names the customer, the predecessor and the
    // successor.
    const own: RecordedEvent[] = [];
    if (subscriptionId) {
      for await (const event of this.store.readStream(streamName('subscription', org, subscriptionId))) {
        own.push(event);
      }
    }
    const known = own.filter((event) => isKnownBy(event, selection.asOf));
    const [first] = known;
    if (!first || !subscriptionId) {
      throw new DomainError('resource_not_found', unknownId('subscription'));
    }

    // 2. Read the stream of the account, which is long, event by event, until the page is full.
    const { term } = first.data as { readonly term: Term };
    const account = this.store.readStream(
      streamName('account', org, accountId(term.customerKey, term.basis.currency)),
    );
    const events: RecordedEvent[] = [];
    for await (const event of historyOf(subscriptionId, known, account)) {
      if (!isKnownBy(event, selection.asOf)) continue;
      if (after && comparePositions(event.position, after) <= 0) continue;
      events.push(event);
      if (events.length > selection.limit) break;
    }
    const page = events.slice(0, selection.limit);
    const last = events.length > page.length ? page.at(-1)! : undefined;
    const nextCursor = last && this.positions.conceal(org, CURSOR, last.position);
    return { ...linksOf(known), events: page, nextCursor };
  }

  private readPosition(org: Uuid, cursor: string): Position {
    const position = this.positions.reveal(org, CURSOR, cursor);
    if (position) return position;
    throw invalidFields({
      code: 'invalid',
      detail: 'This cursor is not from a history. Give a cursor from the Link header of the page before.',
      attr: 'cursor',
    });
  }
}

const isKnownBy = ({ metadata }: RecordedEvent, asOf: Instant | undefined): boolean =>
  asOf === undefined || metadata.recordedAt <= asOf;
