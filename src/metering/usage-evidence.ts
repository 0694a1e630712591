import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { Database } from '../platform/database/open-database.js';
import { HASH_DIFFERS_SQL } from './count-sql.js';
import type { AlteredEvents } from './domain/counter.js';
import {
  AlteredEventCollector,
  MAX_NAMED,
  STORED_EVENT_COLUMNS,
  type StoredUsageEvent,
} from './stored-event.js';
import { UsageReads } from './usage-reads.js';
import type { CountRequest } from './usage-reader.js';
import { COUNTED_EVENTS, FIRST_UNCOUNTED_BATCH, QUESTIONS, questionValues } from './usage-questions-sql.js';
import { asCounter } from './domain/usage-base.js';

interface AlteredBatch {
  readonly batch_id: string;
  readonly sealed_number: string | null;
  readonly is_missing: boolean;
}

/** Finds manipulations of the usage log. */
@Injectable()
export class UsageEvidence {
  constructor(private readonly database: Database) {}

  /** Finds events of a customer and name, at any time, whose content does not match the hash they were received with. */
  alteredEvents(org: Uuid, customerKey: Uuid, eventName: string): Promise<AlteredEvents> {
    return this.altered(org, 'usage-evidence-events', EVENTS_OF_CUSTOMER, [org, customerKey, eventName]);
  }

  /** Finds altered events of every tenant from a batch on; null reads the whole usage log. */
  allAlteredEvents(from: bigint | null = null): Promise<AlteredEvents> {
    return this.altered(undefined, 'usage-evidence-all-events', ALL_EVENTS, [from]);
  }

  /** Describes the tenant's batches, up to a watermark, whose events differ from those they were received with. */
  alteredBatches(org: Uuid, sealedUpTo: bigint): Promise<string[]> {
    return this.batches('usage-evidence-batches', SEALED_BATCHES, [org, sealedUpTo]);
  }

  /** Describes altered batches of every tenant, numbered or not, from one batch on; null: all. */
  allAlteredBatches(from: bigint | null = null): Promise<string[]> {
    return this.batches('usage-evidence-all-batches', ALL_BATCHES, [from]);
  }

  /** Returns the batch at which the newest events since an instant begin; null when there are none. */
  async firstOfNewest(events: number, since: Instant): Promise<bigint | null> {
    const { rows } = await this.database.pool.query<{ batch_id: string | null }>({
      name: 'usage-evidence-newest',
      text: `select min(batch_id) as batch_id from (
          select batch_id, sum(event_count) over (order by batch_id desc) as events
          from usage_batches where received_at >= $2
        ) newest where events <= $1`,
      values: [events, since],
    });
    const [row] = rows;
    return row?.batch_id ? BigInt(row.batch_id) : null;
  }

  /**
   * Describes gaps in the numbers of every tenant's batches, which are 1, 2, 3 … up to the watermark of the newest count.
   * @param watermarks the highest watermark that a count of each tenant names
   */
  async missingBatches(watermarks: ReadonlyMap<Uuid, bigint>): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ org: Uuid; newest: string; batches: string }>({
      name: 'usage-evidence-numbers',
      text: `select org, max(sealed_number) as newest, count(sealed_number) as batches from usage_batches
        where sealed_number is not null group by org`,
    });
    const found = new Map(rows.map(({ org, newest, batches }) => [org, { newest, batches }]));
    return [...new Set([...found.keys(), ...watermarks.keys()])].flatMap((org) => {
      const { newest, batches } = found.get(org) ?? { newest: '0', batches: '0' };
      const watermark = watermarks.get(org) ?? 0n;
      const gap =
        newest === batches
          ? []
          : [`usage batches of organization ${org}: ${batches} batches are numbered up to ${newest}`];
      const behind =
        watermark <= BigInt(newest)
          ? []
          : [
              `usage batches of organization ${org}: counted up to number ${watermark}, the last one is ${newest}`,
            ];
      return [...gap, ...behind];
    });
  }

  /**
   * Describes altered batches that have events in the window of a count. A gauge reads events before its window too;
   * batches that have only those are left out.
   */
  batchesOf(request: CountRequest): Promise<string[]> {
    const values = [request.org, request.sealedUpTo, ...questionValues([asCounter(request, request.window)])];
    return this.batches('usage-evidence-batches-counted', COUNTED_BATCHES, values);
  }

  /** Reads with a cursor: where properties are nested, PostgreSQL writes all of them in another way. */
  private async altered(
    org: Uuid | undefined,
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<AlteredEvents> {
    const found = new AlteredEventCollector();
    const statement = { org, name, text, values, mostRows: Number.POSITIVE_INFINITY };
    await new UsageReads(this.database).ascending<StoredUsageEvent>(statement, (event) => found.look(event));
    return found.altered();
  }

  private async batches(name: string, text: string, values: readonly unknown[]): Promise<string[]> {
    const { rows } = await this.database.pool.query<AlteredBatch>({ name, text, values: [...values] });
    return rows.map(({ batch_id: id, sealed_number: number, is_missing: isMissing }) => {
      if (isMissing) return `the usage batch with id ${id} is missing, its events are there`;
      const batch = number === null ? `with id ${id}, not sealed yet,` : number;
      return `usage batch ${batch} does not hold the events it was received with`;
    });
  }
}

const EVENTS_OF_CUSTOMER = `
select ${STORED_EVENT_COLUMNS} from usage_events e
where e.org = $1 and e.customer_key = $2 and e.event_name = $3 and ${HASH_DIFFERS_SQL}
order by e.idempotency_id`;

const ALL_EVENTS = `select ${STORED_EVENT_COLUMNS} from usage_events e
where ($1::bigint is null or e.batch_id >= $1) and ${HASH_DIFFERS_SQL}`;

/** @param where which of the batches and of the events, by columns that both have; @param only which of what differs */
const alteredBatches = (where: string, { before = '', only = 'true' } = {}): string => `
with ${before} held as (
  select org, batch_id, count(*) as event_count, min(event_time) as earliest_event_time,
    sha256(string_agg(body_hash, ''::bytea order by idempotency_id)) as digest
  from usage_events where ${where} group by org, batch_id
), said as (select * from usage_batches where ${where})
select batch_id, said.sealed_number, said.digest is null as is_missing
from said full join held using (org, batch_id)
where (held.event_count, held.earliest_event_time, held.digest)
  is distinct from (said.event_count::bigint, said.earliest_event_time, said.digest) and ${only}
order by org, said.sealed_number, batch_id limit ${MAX_NAMED}`;

const SEALED_BATCHES = alteredBatches('org = $1', {
  only: '(said.digest is null or said.sealed_number <= $2)',
});
const ALL_BATCHES = alteredBatches('($1::bigint is null or batch_id >= $1)');

/** The array is read once, before: with it the events of a batch are found by the index. */
const COUNTED_BATCHES = alteredBatches('org = $1 and batch_id = any(array(select batch_id from counted))', {
  before: `questions as (${QUESTIONS}), first_uncounted as materialized (${FIRST_UNCOUNTED_BATCH}), counted as materialized (
    select distinct event.batch_id from questions q cross join lateral (select e.batch_id ${COUNTED_EVENTS}) event
  ),`,
});
