import { Injectable } from '@nestjs/common';
import type { Position } from '../kernel/event.js';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import type { NotedRow } from '../platform/database/noted-rows.js';
import { Database, inTransaction } from '../platform/database/open-database.js';
import { TIMES_OF_ROWS, type Trigger } from './domain/triggers.js';

export type DeliveryStatus = 'pending' | 'delivered' | 'dead';

export interface Delivery {
  readonly event_id: Uuid;
  readonly place: string;
  readonly trigger: Trigger;
  readonly commit: string;
  readonly prepare: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly first_attempt_at: Instant | null;
  readonly next_attempt_at: Instant;
  readonly delivered_at: Instant | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

export interface DueDelivery extends Delivery {
  /** Id of the resource of the delivery. */
  readonly subject_id: Uuid;
  readonly occurred_at: Instant;
}

export interface DeliveryFailure {
  /** Time of the next try; undefined without one. */
  readonly nextTry: Date | undefined;
  readonly status: number | undefined;
  readonly error: string;
}

/** Page of the deliveries of an endpoint. */
export interface PartOfDeliveries {
  readonly isNewestFirst: boolean;
  /** Index of the last delivery of the page before; undefined for the first page. */
  readonly after: bigint | undefined;
  readonly limit: number;
}

/** Number of events enqueued per endpoint by one statement. */
const AT_ONCE = 500;
const COLUMNS = `event_id, place, trigger, commit, prepare, status, attempts, first_attempt_at, next_attempt_at,
  delivered_at, last_status, last_error`;
const NEW_SEQUENCE = `nextval('webhook_delivery_places')`;
/** Resets a delivery, as if it had never been tried. */
const RESET = `status = 'pending', attempts = 0, first_attempt_at = null,
  next_attempt_at = now(), delivered_at = null, last_status = null, last_error = null`;

/** Deliveries of endpoints, in their order and with their outcome. */
@Injectable()
export class Deliveries {
  constructor(private readonly database: Database) {}

  /**
   * Enqueues the new events of every endpoint, each event once, whichever process does it. Organizations take
   * turns; after the time limit the rest is left to the next call.
   */
  async enqueue(withinMs: number): Promise<void> {
    const { rows } = await this.database.pool.query<{ id: Uuid }>({
      name: 'webhook-endpoints-behind',
      text: `select e.id from webhook_endpoints e where e.recorded is not false and exists (select from webhook_events v
          where v.org = e.org and (v.commit, v.prepare) > (e.commit, e.prepare))
        order by row_number() over (partition by e.org order by e.commit, e.prepare), e.commit, e.prepare`,
    });
    const end = performance.now() + withinMs;
    for (const { id } of rows) {
      await this.enqueueFor(id);
      if (performance.now() > end) return;
    }
  }

  /** Finds endpoints that subscribe to a trigger without an event in the log. */
  async wanting(trigger: Trigger): Promise<{ readonly org: Uuid; readonly since: Instant }[]> {
    const { rows } = await this.database.pool.query<{ org: Uuid; since: Instant }>({
      name: 'webhook-endpoints-wanting',
      text: `select org, greatest(min(created_at), now() - interval '1 day') as since
        from webhook_endpoints where recorded is not false and $1 = any(triggers) group by org`,
      values: [trigger],
    });
    return rows;
  }

  /**
   * Enqueues deliveries without an event in the log, each once, in order, after those that are already queued. An endpoint
   * gets rows that were noted after it was made.
   */
  async enqueueOthers(org: Uuid, trigger: Trigger, noted: readonly NotedRow[]): Promise<void> {
    await this.database.pool.query({
      name: 'webhook-deliveries-others',
      text: `insert into webhook_deliveries (endpoint_id, event_id, trigger, commit, prepare)
        select e.id, other.id, $2, e.commit, e.prepare
        from webhook_endpoints e
          cross join unnest($3::uuid[], $4::timestamptz[]) with ordinality as other (id, noted_at, index)
        where e.org = $1 and $2 = any(e.triggers) and other.noted_at >= e.created_at
          and not exists (select from webhook_deliveries d where d.endpoint_id = e.id and d.event_id = other.id)
        order by other.index on conflict do nothing`,
      values: [org, trigger, noted.map(({ id }) => id), noted.map(({ notedAt }) => notedAt)],
    });
  }

  private async enqueueFor(id: Uuid): Promise<void> {
    await inTransaction(this.database.pool, async (client) => {
      const { rows } = await client.query<{ org: Uuid; triggers: string[]; commit: string; prepare: string }>(
        'select org, triggers, commit, prepare from webhook_endpoints where id = $1 for update skip locked',
        [id],
      );
      const [endpoint] = rows;
      if (!endpoint) return;
      const { rows: seen } = await client.query<Pick<Delivery, 'commit' | 'prepare'>>(
        `with seen as (select event_id, trigger, commit, prepare from webhook_events
            where org = $2 and (commit, prepare) > ($3::bigint, $4::bigint) order by commit, prepare limit ${AT_ONCE}),
          added as (insert into webhook_deliveries (endpoint_id, event_id, trigger, commit, prepare)
            select $1, event_id, trigger, commit, prepare from seen where trigger = any($5::text[])
            order by commit, prepare on conflict do nothing)
        select commit, prepare from seen order by seen.commit desc, seen.prepare desc limit 1`,
        [id, endpoint.org, endpoint.commit, endpoint.prepare, endpoint.triggers],
      );
      if (!seen[0]) return;
      await client.query('update webhook_endpoints set commit = $2, prepare = $3 where id = $1', [
        id,
        seen[0].commit,
        seen[0].prepare,
      ]);
    });
  }

  /** Finds the first pending delivery if it is due; later ones wait for it. */
  async next(endpointId: Uuid, org: Uuid): Promise<DueDelivery | undefined> {
    const { rows } = await this.database.pool.query<DueDelivery>({
      name: 'webhook-deliveries-next',
      text: `select * from (select d.event_id, d.place, d.trigger, d.commit, d.prepare, d.status, d.attempts,
            d.first_attempt_at, d.next_attempt_at, coalesce(v.subject_id, d.event_id) as subject_id,
            coalesce(v.occurred_at, d.added_at) as occurred_at
          from webhook_deliveries d left join webhook_events v on v.org = $2 and v.event_id = d.event_id
          where d.endpoint_id = $1 and d.status = 'pending' order by d.place limit 1) first
        where next_attempt_at <= now()`,
      values: [endpointId, org],
    });
    return rows[0];
  }

  async delivered(endpointId: Uuid, { event_id: eventId, place }: Delivery, status: number): Promise<void> {
    await this.database.pool.query({
      name: 'webhook-deliveries-delivered',
      text: `update webhook_deliveries set status = 'delivered', attempts = attempts + 1, delivered_at = now(),
        first_attempt_at = coalesce(first_attempt_at, now()), last_status = $4, last_error = null
        where endpoint_id = $1 and event_id = $2 and place = $3`,
      values: [endpointId, eventId, place, status],
    });
  }

  async failed(
    endpointId: Uuid,
    delivery: Delivery,
    { nextTry, status, error }: DeliveryFailure,
  ): Promise<void> {
    await this.database.pool.query(
      `update webhook_deliveries set status = $4, attempts = attempts + 1,
        first_attempt_at = coalesce(first_attempt_at, now()), next_attempt_at = coalesce($5, next_attempt_at),
        last_status = $6, last_error = $7
        where endpoint_id = $1 and event_id = $2 and place = $3`,
      [endpointId, delivery.event_id, delivery.place, nextTry ? 'pending' : 'dead', nextTry, status, error],
    );
  }

  /** Puts a delivery off that could not be tried. It counts as no try: the receiver was not asked. */
  async postpone(endpointId: Uuid, delivery: Delivery, seconds: number, reason: string): Promise<void> {
    await this.database.pool.query(
      `update webhook_deliveries set next_attempt_at = now() + $4 * interval '1 second', last_error = $5
        where endpoint_id = $1 and event_id = $2 and place = $3`,
      [endpointId, delivery.event_id, delivery.place, seconds, reason],
    );
  }

  /** Lists deliveries in the order of sending, or from the last one back. */
  async list(
    endpointId: Uuid,
    statuses: readonly DeliveryStatus[],
    { isNewestFirst, after, limit }: PartOfDeliveries,
  ): Promise<Delivery[]> {
    const [follows, order] = isNewestFirst ? ['<', 'desc'] : ['>', 'asc'];
    const { rows } = await this.database.pool.query<Delivery>(
      `select ${COLUMNS} from webhook_deliveries where endpoint_id = $1
        and ($2::bigint is null or place ${follows} $2::bigint)
        and (cardinality($3::text[]) = 0 or status = any($3::text[])) order by place ${order} limit $4`,
      [endpointId, after ?? null, statuses, limit],
    );
    return rows;
  }

  /** @returns the number of deliveries that are sent again */
  async replayDead(endpointId: Uuid): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `update webhook_deliveries d set place = dead.place, ${RESET}
        from (select event_id, ${NEW_SEQUENCE} as place from (select event_id from webhook_deliveries
          where endpoint_id = $1 and status = 'dead' order by place) in_order) dead
        where d.endpoint_id = $1 and d.event_id = dead.event_id`,
      [endpointId],
    );
    return rowCount ?? 0;
  }

  async replayOne(endpointId: Uuid, eventId: Uuid): Promise<number> {
    const { rowCount } = await this.database.pool.query(
      `update webhook_deliveries set place = ${NEW_SEQUENCE}, ${RESET} where endpoint_id = $1 and event_id = $2`,
      [endpointId, eventId],
    );
    return rowCount ?? 0;
  }

  /**
   * Sends all subscribed events after a position again, in that order, also those older than the endpoint. Deliveries
   * without an event in the log stand behind the event whose position they have, so they go with that position too.
   */
  async replayAfter(endpointId: Uuid, { commit, prepare }: Position): Promise<number> {
    return inTransaction(this.database.pool, async (client) => {
      await client.query('select from webhook_endpoints where id = $1 for update', [endpointId]);
      const { rowCount } = await client.query(
        `with again as (
          select e.id, v.event_id, v.trigger, v.commit, v.prepare, null::bigint as place
            from webhook_endpoints e join webhook_events v
              on v.org = e.org and v.trigger = any(e.triggers) and (v.commit, v.prepare) <= (e.commit, e.prepare)
            where e.id = $1 and (v.commit, v.prepare) > ($2::bigint, $3::bigint)
          union all
          select o.endpoint_id, o.event_id, o.trigger, o.commit, o.prepare, o.place from webhook_deliveries o
            where o.endpoint_id = $1 and (o.commit, o.prepare) >= ($2::bigint, $3::bigint)
              and o.trigger = any($4::text[]))
        insert into webhook_deliveries as d (endpoint_id, event_id, trigger, commit, prepare)
          select id, event_id, trigger, commit, prepare from again order by commit, prepare, place nulls first
          on conflict (endpoint_id, event_id) do update set place = ${NEW_SEQUENCE}, ${RESET}`,
        [endpointId, commit, prepare, Object.keys(TIMES_OF_ROWS)],
      );
      return rowCount ?? 0;
    });
  }
}
