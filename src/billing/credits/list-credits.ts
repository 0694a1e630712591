import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql, type SelectQueryBuilder } from 'kysely';
import { CustomerReader } from '../../customer/customer-directory.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import {
  isAfterCursor,
  readPage,
  sliceOfPage,
  type RowSize,
  type Slice,
} from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import {
  byColumn,
  byTimeOrNever,
  ordersBy,
  pageInOrder,
  type OrderKey,
} from '../../platform/database/ordering.js';
import type { CreditRow } from '../read-models/credits.js';
import { loadDrawdowns, type CreditTables, type CreditView } from './get-credit.js';

export const CREDIT_STATUSES = ['active', 'inactive'] as const;

/** Both ends are part of a span of time. */
interface Span {
  readonly after: Instant | undefined;
  readonly before: Instant | undefined;
}

const CURRENCY = byColumn('currency', 'text');

const ID: OrderKey<CreditRow> = byColumn('credit_id', 'uuid');

/** Amounts are ordered within their currency. */
const ORDERS = ordersBy(ID, {
  effective_at: [byColumn('effective_at', 'timestamptz')],
  expires_at: [byTimeOrNever('expires_at')],
  amount: [CURRENCY, byColumn('amount', 'numeric')],
  amount_remaining: [CURRENCY, byColumn('amount_remaining', 'numeric')],
});

/** Bytes of a credit in an answer, with its drawdowns, of about 200 each. */
const BYTES = sql<number>`1000 + coalesce(octet_length(page.description), 0)
  + coalesce(octet_length(page.sealed_description), 0) + 200 * (
    select count(*) from credit_drawdowns d where d.org = page.org and d.credit_id = page.credit_id)`;

export const CREDIT_ORDERINGS = ORDERS.orderings;
type CreditOrdering = (typeof CREDIT_ORDERINGS)[number];

export interface CreditSelection {
  readonly customerId: string;
  readonly statuses: readonly (typeof CREDIT_STATUSES)[number][];
  readonly currency: string | undefined;
  /** A credit without expiry is after any time and before none. */
  readonly expires: Span;
  readonly effective: Span;
  readonly issued: Span;
  /** Undefined for the newest first. */
  readonly ordering: CreditOrdering | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export class ListCredits extends Query<Slice<CreditView>> {
  constructor(
    readonly org: Uuid,
    readonly selection: CreditSelection,
    /** A credit that has expired by then is inactive. */
    readonly now: Instant,
  ) {
    super();
  }
}

@QueryHandler(ListCredits)
export class ListCreditsHandler implements IQueryHandler<ListCredits> {
  constructor(
    private readonly database: Database,
    private readonly customers: CustomerReader,
  ) {}

  /** Without an ordering the newest is first. @throws DomainError `does_not_exist` for an unknown customer */
  async execute({ org, selection, now }: ListCredits): Promise<Slice<CreditView>> {
    const { customerId, statuses, currency, expires, effective, issued, ordering, limit, cursor } = selection;
    const customerKey = await this.customers.keyOf(org, customerId);
    let wanted = this.database.db
      .withTables<CreditTables>()
      .selectFrom('credits')
      .selectAll()
      .where('org', '=', org)
      .where('customer_key', '=', customerKey);
    const isActive = sql<boolean>`(amount_remaining > 0 and (expires_at is null or expires_at > ${now}))`;
    if (new Set(statuses).size === 1) {
      wanted = wanted.where(statuses[0] === 'active' ? isActive : sql<boolean>`not ${isActive}`);
    }
    if (currency !== undefined) wanted = wanted.where('currency', '=', currency);
    if (expires.before !== undefined) wanted = wanted.where('expires_at', '<=', expires.before);
    if (expires.after !== undefined) {
      wanted = wanted.where(sql<boolean>`(expires_at is null or expires_at >= ${expires.after})`);
    }
    if (effective.before !== undefined) wanted = wanted.where('effective_at', '<=', effective.before);
    if (effective.after !== undefined) wanted = wanted.where('effective_at', '>=', effective.after);
    if (issued.before !== undefined) wanted = wanted.where('granted_at', '<=', issued.before);
    if (issued.after !== undefined) wanted = wanted.where('granted_at', '>=', issued.after);
    const size = { db: this.database.db, bytes: BYTES };
    const { rows, nextCursor } = await sliceOfCredits(wanted, { ordering, limit, cursor }, size);
    return { rows: await loadDrawdowns(this.database, org, rows), nextCursor };
  }
}

async function sliceOfCredits(
  wanted: SelectQueryBuilder<CreditTables, 'credits', CreditRow>,
  { ordering, limit, cursor }: Pick<CreditSelection, 'ordering' | 'limit' | 'cursor'>,
  size: RowSize,
): Promise<Slice<CreditRow>> {
  if (ordering !== undefined) return pageInOrder(wanted, ORDERS.named(ordering), { limit, cursor }, size);
  const after =
    cursor === undefined ? wanted : wanted.where(isAfterCursor(cursor, 'granted_at', 'credit_id'));
  const newestFirst = after
    .orderBy('granted_at', 'desc')
    .orderBy('credit_id')
    .limit(limit + 1);
  const cursorOf = (row: CreditRow) => ({ at: row.granted_at, id: row.credit_id });
  return sliceOfPage(await readPage(newestFirst, limit, size), cursorOf);
}
