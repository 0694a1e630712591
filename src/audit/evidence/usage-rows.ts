import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { Database } from '../../platform/database/open-database.js';

/** Usage of a customer by one name, of batches numbered up to a watermark. */
export interface UsageSpan {
  readonly customerKey: Uuid;
  readonly eventName: string;
  readonly start: Instant;
  /** Exclusive. */
  readonly end: Instant;
  readonly sealedUpTo: bigint;
}

/** Line of `usage.jsonl`. */
interface UsageLine {
  readonly batch: number;
  readonly customer_key: Uuid;
  readonly event_name: string;
  readonly event_time: Instant;
  readonly idempotency_id: string;
  /** JSON as PostgreSQL writes it. */
  readonly properties: string;
}

/** Line of `batches.jsonl`. */
interface BatchLine {
  readonly body_hashes: readonly string[];
  readonly digest: string;
  readonly earliest: Instant;
  readonly events: number;
  readonly number: number;
  readonly received_at: Instant;
  readonly straggler: boolean;
}

const ROWS_PER_PAGE = 2_000;
const BATCHES_PER_PAGE = 100;

/** Reads counted usage page by page: sealed rows never change, so pages need no common snapshot. */
@Injectable()
export class UsageRows {
  constructor(private readonly database: Database) {}

  /**
   * Yields rows in the order of their time, then of the bytes of their ids.
   * @param seen receives each row's batch
   */
  async *rowsOf(org: Uuid, span: UsageSpan, seen: (batch: number) => void): AsyncGenerator<UsageLine> {
    let [time, id] = [span.start as string, ''];
    for (;;) {
      const { rows } = await this.database.pool.query<UsageLine & { readonly batch: string }>({
        name: 'evidence-usage-rows',
        text: ROWS,
        values: [
          org,
          span.customerKey,
          span.eventName,
          ...[time, id, span.end],
          ...[span.sealedUpTo, ROWS_PER_PAGE],
        ],
      });
      for (const row of rows) {
        const batch = Number(row.batch);
        seen(batch);
        yield { ...row, batch };
      }
      if (rows.length < ROWS_PER_PAGE) return;
      const last = rows.at(-1)!;
      [time, id] = [last.event_time, last.idempotency_id];
    }
  }

  /** Yields batches with the body hashes of all their rows, including rows of other customers. */
  async *batchesOf(org: Uuid, numbers: readonly number[]): AsyncGenerator<BatchLine> {
    for (let from = 0; from < numbers.length; from += BATCHES_PER_PAGE) {
      const { rows } = await this.database.pool.query<BatchLine & { readonly number: string }>({
        name: 'evidence-batches',
        text: BATCHES,
        values: [org, numbers.slice(from, from + BATCHES_PER_PAGE)],
      });
      for (const row of rows) yield { ...row, number: Number(row.number) };
    }
  }
}

const ROWS = `
select b.sealed_number as batch, e.customer_key, e.event_name, e.event_time, e.idempotency_id,
  e.properties::text as properties
from usage_events e join usage_batches b on b.org = e.org and b.batch_id = e.batch_id
where e.org = $1 and e.customer_key = $2 and e.event_name = $3
  and (e.event_time, e.idempotency_id) > ($4::timestamptz, $5) and e.event_time < $6::timestamptz
  and b.sealed_number <= $7
order by e.event_time, e.idempotency_id limit $8`;

const BATCHES = `
select array(
    select encode(e.body_hash, 'hex') from usage_events e
    where e.org = b.org and e.batch_id = b.batch_id order by e.idempotency_id
  ) as body_hashes, encode(b.digest, 'hex') as digest, b.earliest_event_time as earliest, b.event_count as events,
  b.sealed_number as number, b.received_at, b.is_straggler as straggler
from usage_batches b where b.org = $1 and b.sealed_number = any($2::bigint[])
order by b.sealed_number`;
