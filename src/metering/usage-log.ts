import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import type { UsageEvent } from './domain/usage-event.js';
import { columnsOf } from './event-columns.js';

interface StoredId {
  readonly idempotency_id: string;
  /** Null if a concurrent request has written the event after the snapshot of this statement. */
  readonly body_hash: string | null;
}

/** The append-only log of usage. It uses named statements of plain SQL, because it is the hot path. */
@Injectable()
export class UsageLog {
  constructor(private readonly database: Database) {}

  /**
   * Writes the events with new ids, and their batch; they are durable when it returns. Rows are inserted in the order
   * of their ids, so two requests with the same ids cannot deadlock. Large events are split into several batches, so
   * that no statement runs long.
   * @param events one per id
   * @returns body hash by id, of the ids that the log had already; nothing was written for them
   */
  async append(
    org: Uuid,
    receivedAt: Instant,
    events: ReadonlyMap<string, UsageEvent>,
  ): Promise<Map<string, string>> {
    const held = new Map<string, string>();
    const raced: string[] = [];
    for (const batch of batchesOf(events.values())) {
      const { rows } = await this.database.pool.query<StoredId>({
        name: 'usage-append',
        text: APPEND,
        values: [org, receivedAt, ...columnsOf(batch)],
      });
      for (const { idempotency_id: id, body_hash: bodyHash } of rows) {
        if (bodyHash === null) raced.push(id);
        else held.set(id, bodyHash);
      }
    }
    for (const [id, bodyHash] of await this.bodyHashes(org, raced)) held.set(id, bodyHash);
    return held;
  }

  /** Returns the body hash of each id that the log holds. */
  async bodyHashes(org: Uuid, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.database.pool.query<{ idempotency_id: string; body_hash: string }>({
      name: 'usage-body-hashes',
      text: `select idempotency_id, encode(body_hash, 'hex') as body_hash
        from usage_events where org = $1 and idempotency_id = any($2::text[])`,
      values: [org, ids],
    });
    return new Map(rows.map((row) => [row.idempotency_id, row.body_hash]));
  }

  /** Returns the ids that an event of this time or later has. */
  async idsSince(org: Uuid, ids: readonly string[], since: Instant): Promise<Set<string>> {
    const { rows } = await this.database.pool.query<{ idempotency_id: string }>({
      name: 'usage-ids-since',
      text: `select idempotency_id from usage_events
        where org = $1 and idempotency_id = any($2::text[]) and event_time >= $3`,
      values: [org, ids, since],
    });
    return new Set(rows.map((row) => row.idempotency_id));
  }
}

/** Limit of the characters of properties in one batch; a thousand usual events have some 100,000. */
const MAX_CHARACTERS = 150_000;

function* batchesOf(events: Iterable<UsageEvent>): Generator<UsageEvent[]> {
  let batch: UsageEvent[] = [];
  let characters = 0;
  for (const event of events) {
    if (characters + event.properties.length > MAX_CHARACTERS && batch.length > 0) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(event);
    characters += event.properties.length;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Inserts the new events and their batch, and returns the ids that the log had already. An id that another transaction
 * committed meanwhile is outside the snapshot of this statement, so it has no hash.
 */
const APPEND = `
with given as (
  select * from unnest($3::text[], $4::uuid[], $5::text[], $6::text[], $7::jsonb[], $8::bytea[])
    as g (idempotency_id, customer_key, event_name, event_time, properties, body_hash)
), batch as materialized (
  select nextval('usage_batch_ids') as batch_id
), inserted as (
  insert into usage_events
    (org, idempotency_id, customer_key, event_name, event_time, properties, body_hash, batch_id)
  select $1, g.idempotency_id, g.customer_key, g.event_name, g.event_time::timestamptz, g.properties, g.body_hash, batch_id
  from given g cross join batch
  order by g.idempotency_id collate "C"
  on conflict (org, idempotency_id) do nothing
  returning idempotency_id, event_time, body_hash
), recorded as (
  insert into usage_batches (org, batch_id, event_count, earliest_event_time, digest, received_at)
  select $1, (select batch_id from batch), count(*), min(event_time),
    sha256(string_agg(body_hash, ''::bytea order by idempotency_id)), $2
  from inserted having count(*) > 0
)
select g.idempotency_id, encode(e.body_hash, 'hex') as body_hash
from given g
left join usage_events e on e.org = $1 and e.idempotency_id = g.idempotency_id
where (select count(*) from inserted) < cardinality($3::text[])
  and g.idempotency_id not in (select idempotency_id from inserted)`;
