import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql, type RawBuilder } from 'kysely';
import { customerKeyOf, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { isAfterCursor, readPage, sliceOfPage, type Slice } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import { byColumn, ordersBy, pageInOrder, type OrderKey } from '../../platform/database/ordering.js';
import type { SubscriptionFilter } from '../domain/events.js';
import { type SubscriptionRow, hasFilters } from '../read-models.js';
import { addonRowsOf, viewOfRow, type SubscriptionView } from './subscription-view.js';
import { ReferenceCheck } from './reference-check.js';

export const STATUSES = ['active', 'ended', 'not_started'] as const;
type SubscriptionStatus = (typeof STATUSES)[number];

const ID: OrderKey<SubscriptionRow> = byColumn('subscription_id', 'uuid');

/** Each order has an index. */
const ORDERS = ordersBy(ID, {
  start_date: [byColumn('start_at', 'timestamptz')],
  end_date: [byColumn('end_at', 'timestamptz')],
});

/** Bytes of the texts that callers choose. */
const BYTES = sql<number>`octet_length(page.metadata::text) + octet_length(page.filters::text)`;

export const SUBSCRIPTION_ORDERINGS = ORDERS.orderings;
type SubscriptionOrdering = (typeof SUBSCRIPTION_ORDERINGS)[number];

export interface SubscriptionSelection {
  readonly customerId: string | undefined;
  readonly planId: Uuid | undefined;
  /** Empty: all. */
  readonly statuses: readonly SubscriptionStatus[];
  /** Terms of which some part lies in the range. */
  readonly rangeStart: Instant | undefined;
  readonly rangeEnd: Instant | undefined;
  /** Terms that have all of these filters. */
  readonly filters: readonly SubscriptionFilter[];
  /** Undefined: the latest start first. */
  readonly ordering: SubscriptionOrdering | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export class ListSubscriptions extends Query<Slice<SubscriptionView>> {
  constructor(
    readonly org: Uuid,
    readonly selection: SubscriptionSelection,
  ) {
    super();
  }
}

@QueryHandler(ListSubscriptions)
export class ListSubscriptionsHandler implements IQueryHandler<ListSubscriptions> {
  constructor(
    private readonly database: Database,
    private readonly references: ReferenceCheck,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Without an ordering the latest start is first. @throws DomainError `does_not_exist` for an unknown customer or plan */
  async execute({ org, selection }: ListSubscriptions): Promise<Slice<SubscriptionView>> {
    await this.references.requireExisting(org, selection, 'to_read');
    const now = await this.clock.now(org);
    const slice = await this.slice(conditionsOf(org, selection, now), selection);
    const addons = await addonRowsOf(this.database, org, slice.rows);
    return { ...slice, rows: slice.rows.map((row) => viewOfRow(row, now, addons.get(row.subscription_id))) };
  }

  private async slice(
    conditions: readonly RawBuilder<boolean>[],
    { ordering, limit, cursor }: SubscriptionSelection,
  ): Promise<Slice<SubscriptionRow>> {
    const filtered = this.database.db
      .withTables<{ subscriptions: SubscriptionRow }>()
      .selectFrom('subscriptions')
      .selectAll()
      .where(sql.join<boolean>(conditions, sql` and `));
    const size = { db: this.database.db, bytes: BYTES };
    if (ordering !== undefined) return pageInOrder(filtered, ORDERS.named(ordering), { limit, cursor }, size);
    const after =
      cursor === undefined ? filtered : filtered.where(isAfterCursor(cursor, 'start_at', 'subscription_id'));
    const newestFirst = after
      .orderBy('start_at', 'desc')
      .orderBy('subscription_id')
      .limit(limit + 1);
    return sliceOfPage(await readPage(newestFirst, limit, size), (row) => ({
      at: row.start_at,
      id: row.subscription_id,
    }));
  }
}

/** A term with auto_renew counts as running at its end, until its renewal is decided. */
const goesOn = sql<boolean>`(state = 'open' and auto_renew)`;

export function isOfStatus(status: SubscriptionStatus, now: Instant): RawBuilder<boolean> {
  switch (status) {
    case 'not_started':
      return sql`(start_at > ${now} and state = 'open')`;
    case 'active':
      return sql`(start_at <= ${now} and (end_at > ${now} or ${goesOn}))`;
    case 'ended':
      // Includes terms that were cancelled before their start.
      return sql`((end_at <= ${now} or state <> 'open') and not ${goesOn})`;
  }
}

function conditionsOf(org: Uuid, selection: SubscriptionSelection, now: Instant): RawBuilder<boolean>[] {
  const { customerId, planId, statuses, rangeStart, rangeEnd, filters } = selection;
  const conditions = [sql<boolean>`org = ${org}`];
  if (customerId !== undefined) conditions.push(sql`customer_key = ${customerKeyOf(org, customerId)}`);
  if (planId !== undefined) conditions.push(sql`plan_id = ${planId}`);
  if (statuses.length > 0) {
    const any = sql.join(
      statuses.map((status) => isOfStatus(status, now)),
      sql` or `,
    );
    conditions.push(sql`(${any})`);
  }
  if (rangeStart !== undefined) conditions.push(sql`end_at > ${rangeStart}`);
  if (rangeEnd !== undefined) conditions.push(sql`start_at <= ${rangeEnd}`);
  if (filters.length > 0) conditions.push(hasFilters(sql.ref('filters'), filters));
  return conditions;
}
