import { sql, type RawBuilder } from 'kysely';
import { isUuid, type Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { decodeCursor, encodeCursor, invalidCursor, readCursor } from '../../platform/database/cursor.js';
import { orderingsOf } from '../../platform/database/ordering.js';

export const PLAN_ORDERINGS = orderingsOf(['plan_name', 'active_subscriptions']);
export type PlanOrdering = (typeof PLAN_ORDERINGS)[number];

/** Last plan of a page. */
interface LastPlan {
  readonly planId: Uuid;
  readonly createdAt: Instant;
  readonly activeSubscriptions: number;
}

/** Order of the plans `p` of a list. */
export interface PlanOrder {
  readonly orderBy: RawBuilder<unknown>;
  /** Condition of the plans after a cursor. @throws DomainError for one that no answer in this order contained */
  after(cursor: string): RawBuilder<boolean>;
  cursorOf(last: LastPlan): string;
}

/** The newest first, then by name, which is unique in an organization. */
export const newestFirst = (org: Uuid): PlanOrder => ({
  orderBy: sql`p.created_at desc, p.name collate "C"`,
  after: (cursor) => {
    const { at, id } = readCursor(cursor);
    return sql`(p.created_at < ${at} or p.created_at = ${at} and p.name collate "C" >
      (select name from plans where org = ${org} and plan_id = ${id}))`;
  },
  cursorOf: ({ createdAt, planId }) => encodeCursor([createdAt, planId]),
});

/** Names by their letters without case; names are no part of a cursor, as they hold any text. */
const BY_NAME = sql`lower(p.name collate "C")`;

/** @param now time at which a subscription runs */
export function planOrder(org: Uuid, ordering: PlanOrdering, now: Instant): PlanOrder {
  const isByName = ordering.endsWith('plan_name');
  const [direction, follows] = ordering.startsWith('-') ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const key = isByName ? BY_NAME : runningOf(now);
  return {
    orderBy: sql`${key} ${direction}, p.plan_id ${direction}`,
    after: (cursor) => {
      const [own, planId = '', count = ''] = decodeCursor(cursor);
      if (own !== ordering || !isUuid(planId) || !/^\d{1,9}$/.test(count)) throw invalidCursor();
      const last = isByName
        ? sql`(select lower(name collate "C") from plans where org = ${org} and plan_id = ${planId})`
        : sql`${count}::bigint`;
      return sql`(${key}, p.plan_id) ${follows} (${last}, ${planId}::uuid)`;
    },
    cursorOf: ({ planId, activeSubscriptions }) =>
      encodeCursor([ordering, planId, String(activeSubscriptions)]),
  };
}

const runningOf = (now: Instant) => sql`(select count(*) from subscriptions s
  where s.org = p.org and s.plan_id = p.plan_id and s.start_at <= ${now} and s.end_at > ${now})`;
