import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { type RecordedEvent, streamName } from '../../kernel/event.js';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { Database } from '../../platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { bulkChangeDecider, type StoredBulkChange, type BulkChangeEvent } from '../domain/bulk-change.js';
import { normalizedEnd } from '../domain/term-periods.js';
import type { SubscriptionRow } from '../read-models.js';

type Accepted = RecordedEvent<BulkChangeEvent>;

export interface BulkChangeView {
  /** The X-Request-Id of the request that asked for it. */
  readonly requestId: string;
  readonly kind: StoredBulkChange['kind'];
  readonly acceptedAt: Instant;
  readonly total: number;
  /** Subscriptions that are as the change leaves them, or that somebody else ended. */
  readonly done: number;
}

/** The latest changes by filter of a customer's subscriptions, the newest first, and how far each is. */
export class ListBulkChanges extends Query<BulkChangeView[]> {
  constructor(
    readonly org: Uuid,
    readonly customerId: string,
  ) {
    super();
  }
}

const SHOWN = 10;
/** Events of the customer's stream to search for bulk changes of earlier releases. */
const SEARCHED = 1_000;

type TermProgress = Pick<SubscriptionRow, 'state' | 'auto_renew' | 'end_at' | 'basis'>;

@QueryHandler(ListBulkChanges)
export class ListBulkChangesHandler implements IQueryHandler<ListBulkChanges> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly database: Database,
  ) {}

  /** @throws DomainError `not_found` for an unknown customer */
  async execute({ org, customerId }: ListBulkChanges): Promise<BulkChangeView[]> {
    const accepted = await this.latest(org, customerKeyOf(org, customerId));
    const ids = accepted.flatMap(({ data }) => data.subscriptionIds);
    const progress = await this.progressOf(org, ids);
    return accepted.map(({ metadata, data: { subscriptionIds, change } }) => ({
      requestId: metadata.correlationId,
      kind: change.kind,
      acceptedAt: metadata.recordedAt,
      total: subscriptionIds.length,
      done: subscriptionIds.filter((id) => isDone(change, progress.get(id))).length,
    }));
  }

  private async latest(org: Uuid, customerKey: Uuid): Promise<Accepted[]> {
    const found: Accepted[] = [];
    const own = streamName(bulkChangeDecider.category, org, customerKey);
    for await (const event of this.store.readStream(own, { direction: 'backwards', limit: SHOWN }))
      found.push(event as Accepted);
    if (found.length === SHOWN) return found;

    // Earlier releases appended them to the customer's stream.
    let isKnown = found.length > 0;
    const former = streamName('customer', org, customerKey);
    for await (const event of this.store.readStream(former, { direction: 'backwards', limit: SEARCHED })) {
      isKnown = true;
      if (event.type === 'BulkChangeAccepted') found.push(event as Accepted);
      if (found.length === SHOWN) break;
    }
    if (!isKnown) throw new DomainError('not_found', unknownId('customer'));
    return found;
  }

  private async progressOf(org: Uuid, ids: readonly Uuid[]): Promise<ReadonlyMap<string, TermProgress>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.db
      .withTables<{ subscriptions: SubscriptionRow }>()
      .selectFrom('subscriptions')
      .select(['subscription_id', 'state', 'auto_renew', 'end_at', 'basis'])
      .where('org', '=', org)
      .where('subscription_id', 'in', ids)
      .execute();
    return new Map(rows.map((row) => [row.subscription_id, row]));
  }
}

function isDone(change: StoredBulkChange, term: TermProgress | undefined): boolean {
  if (!term) return false;
  if (term.state !== 'open') return true;
  if (change.kind !== 'change') return false;
  const { turnOffAutoRenew, end } = change.changes;
  return (
    (!turnOffAutoRenew || !term.auto_renew) &&
    (end === undefined || term.end_at === normalizedEnd(end, term.basis.zone))
  );
}
