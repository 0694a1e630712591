import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { sql, type RawBuilder } from 'kysely';
import { type FieldError, invalidFields, unknownId } from '../../kernel/errors.js';
import type { Position } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { readPage } from '../../platform/database/cursor.js';
import { Database } from '../../platform/database/open-database.js';
import { orderingsOf } from '../../platform/database/ordering.js';
import { LOG_POSITION, OpaquePositions } from '../../platform/privacy/vault.js';
import type { AuditEntryRow, SubjectKind } from '../read-models.js';
import { ActorNames } from './actor-names.js';
import { AuditNames, type EntryNames } from './audit-names.js';
import { isEventType } from './event-summaries.js';

/** Orders of the log: `recorded_at` begins with its first event. */
export const AUDIT_ORDERINGS = orderingsOf(['recorded_at']);

/** Purpose of the cursor; it differs from that of other positions, and by order. */
const CURSOR = { newestFirst: 'audit log', oldestFirst: 'audit log, oldest first' };

/** Filters of the log; undefined: no filter. */
export interface AuditLogFilter {
  readonly subjectKind?: SubjectKind | undefined;
  /** Requires `subjectKind`. */
  readonly subjectId?: string | undefined;
  readonly customerKey?: Uuid | undefined;
  /** Id or prefix of an API key, `system` or `cli`. */
  readonly actor?: string | undefined;
  readonly type?: string | undefined;
  /** Earliest recorded time, inclusive. */
  readonly from?: Instant | undefined;
  /** Latest recorded time, exclusive. */
  readonly to?: Instant | undefined;
}

export interface AuditEntry extends AuditEntryRow {
  readonly actorName: string | null;
  readonly names: EntryNames;
  /** As in `X-Recount-Position`. */
  readonly logPosition: string;
}

export interface AuditLogPage {
  readonly entries: readonly AuditEntry[];
  readonly nextCursor: string | undefined;
}

/** Lists events of an organization in the order of the log, without an ordering the newest first. */
export class ListAuditLog extends Query<AuditLogPage> {
  constructor(
    readonly org: Uuid,
    readonly filter: AuditLogFilter,
    readonly page: {
      readonly ordering: (typeof AUDIT_ORDERINGS)[number] | undefined;
      readonly limit: number;
      readonly cursor: string | undefined;
    },
  ) {
    super();
  }
}

@QueryHandler(ListAuditLog)
export class ListAuditLogHandler implements IQueryHandler<ListAuditLog> {
  constructor(
    private readonly database: Database,
    private readonly positions: OpaquePositions,
    private readonly actors: ActorNames,
    private readonly names: AuditNames,
  ) {}

  /** @throws DomainError `invalid` for an unknown event type or a foreign cursor; `does_not_exist` */
  async execute({ org, filter, page }: ListAuditLog): Promise<AuditLogPage> {
    if (filter.type !== undefined && !isEventType(filter.type)) {
      const detail = 'There is no event type with this name. Give one such as SettingsChanged.';
      throw invalidFields({ code: 'invalid', detail, attr: 'event_type' });
    }
    const { ordering, limit, cursor } = page;
    const isOldestFirst = ordering === 'recorded_at';
    const purpose = isOldestFirst ? CURSOR.oldestFirst : CURSOR.newestFirst;
    const after = cursor === undefined ? undefined : this.readCursor(org, purpose, cursor);
    const actor = filter.actor && (await this.actors.idOf(org, filter.actor));
    const { db } = this.database;
    const entries = selectEntries(org, { ...filter, actor }, { isOldestFirst, after, limit: limit + 1 });
    const { rows: shown, hasMore } = await readPage(entries, limit, { db, bytes: BYTES });
    const [actors, names] = await Promise.all([this.actors.of(org), this.names.of(org, shown)]);
    if (shown.length === 0 && !after)
      await this.requireKnown(org, filter, actor === undefined || actors.has(actor));
    const last = hasMore ? shown.at(-1) : undefined;
    return {
      entries: shown.map((row, index) => ({
        ...row,
        actorName: actors.get(row.actor) ?? null,
        names: names[index]!,
        logPosition: this.positions.conceal(org, LOG_POSITION, positionOf(row)),
      })),
      nextCursor: last && this.positions.conceal(org, purpose, positionOf(last)),
    };
  }

  /**
   * Requires that what a filter names is in the log, which has what was deleted, erased or revoked too.
   * @throws DomainError `does_not_exist`
   */
  private async requireKnown(
    org: Uuid,
    { subjectKind, subjectId, customerKey }: AuditLogFilter,
    isKnownActor: boolean,
  ): Promise<void> {
    const { rows } = await this.database.pool.query<{ has_customer: boolean; has_subject: boolean }>({
      name: 'audit-log-known',
      text: KNOWN,
      values: [org, customerKey, subjectKind, subjectId],
    });
    const unknown: FieldError[] = [];
    const report = (attr: string, detail: string) => unknown.push({ code: 'does_not_exist', detail, attr });
    const { has_customer: hasCustomer, has_subject: hasSubject } = rows[0]!;
    if (customerKey !== undefined && !hasCustomer) report('customer_id', unknownId('customer'));
    if (subjectId !== undefined && !hasSubject)
      report('subject_id', unknownId(subjectKind!.replaceAll('_', ' ')));
    if (!isKnownActor) report('actor', 'There is no such API key. Give its id or prefix, or system or cli.');
    const [first, ...rest] = unknown;
    if (first) throw invalidFields(first, ...rest);
  }

  private readCursor(org: Uuid, purpose: string, cursor: string): Position {
    const position = this.positions.reveal(org, purpose, cursor);
    if (position) return position;
    const detail =
      'This cursor is not from the audit log in this order. Give a cursor from the Link header of the page before.';
    throw invalidFields({ code: 'invalid', detail, attr: 'cursor' });
  }
}

const KNOWN = `select
  exists (select from audit_entries where org = $1 and customer_key = $2) as has_customer,
  exists (select from audit_entries where org = $1 and subject_kind = $3 and subject_id = $4) as has_subject`;

const positionOf = ({ commit, prepare }: AuditEntryRow): Position => ({
  commit: BigInt(commit),
  prepare: BigInt(prepare),
});

interface PartOfLog {
  readonly isOldestFirst: boolean;
  /** Position that the page before ended at. */
  readonly after: Position | undefined;
  readonly limit: number;
}

/**
 * Reads each page from one end of an index. An event of a subscription may lack its customer, so a customer's
 * page merges two lists: the first events that name the customer, and the first of each subscription.
 */
function selectEntries(
  org: Uuid,
  filter: AuditLogFilter,
  { isOldestFirst, after, limit }: PartOfLog,
): RawBuilder<AuditEntryRow> {
  const conditions = [sql`e.org = ${org}`];
  const { subjectKind, subjectId, customerKey, actor, type, from, to } = filter;
  if (subjectKind !== undefined) conditions.push(sql`e.subject_kind = ${subjectKind}`);
  if (subjectId !== undefined) conditions.push(sql`e.subject_id = ${subjectId}`);
  if (actor !== undefined) conditions.push(sql`e.actor = ${actor}`);
  if (type !== undefined) conditions.push(sql`e.type = ${type}`);
  if (from !== undefined) conditions.push(sql`e.recorded_at >= ${from}`);
  if (to !== undefined) conditions.push(sql`e.recorded_at < ${to}`);
  if (after) {
    const at = sql`(${String(after.commit)}::bigint, ${String(after.prepare)}::bigint)`;
    conditions.push(sql`(e.commit, e.prepare) ${isOldestFirst ? sql`>` : sql`<`} ${at}`);
  }
  const order = isOldestFirst ? sql`order by commit, prepare` : sql`order by commit desc, prepare desc`;
  const first = (...more: RawBuilder<unknown>[]): RawBuilder<unknown> =>
    sql`(select e.* from audit_entries e
      where ${sql.join([...conditions, ...more], sql` and `)} ${order} limit ${limit})`;
  const entries =
    customerKey === undefined
      ? first()
      : sql`(${first(sql`e.customer_key = ${customerKey}`)} union all
      select own.* from subscriptions t cross join lateral ${first(
        sql`e.subject_kind = 'subscription'`,
        sql`e.subject_id = t.subscription_id::text`,
        sql`e.customer_key is null`,
      )} own where t.org = ${org} and t.customer_key = ${customerKey})`;
  return sql<AuditEntryRow>`(select e.*, coalesce(e.customer_key, t.customer_key) as customer_key
    from ${entries} e
    left join subscriptions t on t.org = e.org
      and t.subscription_id = case when e.subject_kind = 'subscription' then e.subject_id::uuid end
    ${order} limit ${limit})`;
}

/** The subscription whose filters an entry shows: its subject, or the one that its charge key begins with. */
const TERM = sql`case when page.subject_kind = 'subscription' then page.subject_id::uuid
  else substring(page.changes ->> 'chargeKey' from '^[0-9a-f]{8}-[0-9a-f-]{27}(?=/)')::uuid end`;

/** Bytes of an entry in an answer. */
const BYTES = sql<number>`1000 + octet_length(page.changes::text) + coalesce((
  select octet_length(t.filters::text) from subscriptions t
  where t.org = page.org and t.subscription_id = ${TERM}), 0)`;
