import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import { canonicalProperties } from './domain/properties.js';
import { bodyHashOf } from './domain/usage-event.js';

interface StoredEvent {
  readonly idempotency_id: string;
  readonly event_time: Instant;
  readonly properties: object;
  readonly body_hash: string;
}

/** So many are named; where there are more, these are enough to go on with. */
const MOST_NAMED = 20;
const READ_AT_ONCE = 1_000;

/** Finds what was done to the usage log behind the engine's back: asked when a count cannot be repeated. */
@Injectable()
export class UsageEvidence {
  constructor(private readonly database: Database) {}

  /** Ids of the customer's events of this name whose content does not fit the hash it was received with. */
  async alteredEvents(org: Uuid, customerKey: Uuid, eventName: string): Promise<string[]> {
    const altered: string[] = [];
    for (let after = '', full = true; full && altered.length < MOST_NAMED;) {
      const { rows } = await this.database.pool.query<StoredEvent>({
        name: 'usage-evidence-events',
        text: `select idempotency_id, event_time, properties, encode(body_hash, 'hex') as body_hash
          from usage_events
          where org = $1 and customer_key = $2 and event_name = $3 and idempotency_id > $4
          order by idempotency_id limit ${READ_AT_ONCE}`,
        values: [org, customerKey, eventName, after],
      });
      for (const row of rows) if (isAltered(row, customerKey, eventName)) altered.push(row.idempotency_id);
      after = rows.at(-1)?.idempotency_id ?? '';
      full = rows.length === READ_AT_ONCE;
    }
    return altered.slice(0, MOST_NAMED);
  }

  /** Numbers of the sealed batches, up to a watermark, that do not hold the events they were received with. */
  async alteredBatches(org: Uuid, sealedUpTo: bigint): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ sealed_number: string }>({
      name: 'usage-evidence-batches',
      text: `with held as (
          select batch_id, count(*) as event_count,
            sha256(string_agg(body_hash, ''::bytea order by idempotency_id)) as digest
          from usage_events where org = $1 group by batch_id)
        select b.sealed_number from usage_batches b left join held using (batch_id)
        where b.org = $1 and b.sealed_number <= $2
          and (held.event_count, held.digest) is distinct from (b.event_count::bigint, b.digest)
        order by b.sealed_number limit ${MOST_NAMED}`,
      values: [org, sealedUpTo],
    });
    return rows.map((row) => row.sealed_number);
  }
}

function isAltered(row: StoredEvent, customerKey: Uuid, eventName: string): boolean {
  try {
    return row.body_hash !== bodyHashOf(saidBy(row, customerKey, eventName));
  } catch {
    return true; // no event that was taken in has such properties
  }
}

const saidBy = (row: StoredEvent, customerKey: Uuid, eventName: string) => ({
  idempotencyId: row.idempotency_id,
  customerKey,
  eventName,
  time: row.event_time,
  properties: canonicalProperties(row.properties),
});
