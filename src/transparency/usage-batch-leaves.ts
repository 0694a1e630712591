import type { PoolClient, Pool } from 'pg';
import type { Uuid } from '../kernel/ids.js';
import type { Instant } from '../kernel/instant.js';
import { bodyTextOfStored, STORED_EVENT_COLUMNS, type StoredUsageEvent } from '../metering/stored-event.js';
import { forEachYielding, mapYielding } from '../platform/concurrency/long-work.js';
import { toHex, utf8 } from './domain/bytes.js';
import { batchRoot, type BatchLeaf } from './domain/leaves.js';
import { MERKLE_HASHES, sha256 } from './sha256.js';

interface BatchRow {
  readonly batch_id: string;
  readonly number: string;
  readonly straggler: boolean;
  readonly received_at: Instant;
  readonly earliest: Instant;
  readonly event_count: number;
}

interface HeldRows {
  earliest: Instant;
  readonly bodyHashes: Uint8Array[];
}

/** Limit of rows whose leaves are computed at once; a batch has at most 1,000. */
const MAX_ROWS = 10_000;
/**
 * Limits of one statement that reads rows. A batch of large events has some 150 kB, so that an answer has a few MB: more
 * would hold up the event loop while it arrives.
 */
const ROWS_AT_ONCE = 1_000;
const BATCHES_AT_ONCE = 20;

/** Computes the leaves of the sealed batches between two numbers as long work, those of some thousand rows at most. */
export async function batchesUpTo(
  client: PoolClient | Pool,
  org: Uuid,
  after: number,
  upTo: number,
): Promise<BatchLeaf[]> {
  const { rows } = await client.query<BatchRow>({
    name: 'transparency-batches',
    text: BATCHES,
    values: [org, after, upTo, MAX_ROWS],
  });
  const held = new Map<string, HeldRows>();
  for (const some of readTogether(rows)) await readRows(client, org, some, held);
  return mapYielding(org, rows, (row) => {
    const { earliest, bodyHashes } = held.get(row.batch_id) ?? { earliest: row.earliest, bodyHashes: [] };
    return {
      number: Number(row.number),
      events: bodyHashes.length,
      earliest,
      receivedAt: row.received_at,
      straggler: row.straggler,
      root: toHex(batchRoot(MERKLE_HASHES, bodyHashes)),
    };
  });
}

/** Divides batches into those whose rows one statement reads. */
function* readTogether(batches: readonly BatchRow[]): Generator<string[]> {
  let ids: string[] = [];
  let rows = 0;
  for (const { batch_id: id, event_count: count } of batches) {
    if (ids.length > 0 && (ids.length >= BATCHES_AT_ONCE || rows + count > ROWS_AT_ONCE)) {
      yield ids;
      [ids, rows] = [[], 0];
    }
    ids.push(id);
    rows += count;
  }
  if (ids.length > 0) yield ids;
}

/**
 * Returns the text of a row. For a row that no longer reads as usage it returns the stored values, so that
 * its leaf differs.
 */
function textOf(row: StoredUsageEvent): string {
  try {
    return bodyTextOfStored(row);
  } catch {
    return row.properties;
  }
}

/** Computes the body hash of each row of some batches, without the stored hash, and adds it to those of its batch. */
async function readRows(
  client: PoolClient | Pool,
  org: Uuid,
  batches: readonly string[],
  held: Map<string, HeldRows>,
): Promise<void> {
  const { rows } = await client.query<StoredUsageEvent & { readonly batch_id: string }>({
    name: 'transparency-batch-rows',
    text: ROWS,
    values: [org, batches],
  });
  await forEachYielding(org, rows, (row) => {
    const bodyHash = sha256(utf8(textOf(row)));
    const known = held.get(row.batch_id);
    if (known) {
      known.bodyHashes.push(bodyHash);
      if (row.event_time < known.earliest) known.earliest = row.event_time;
    } else {
      held.set(row.batch_id, { earliest: row.event_time, bodyHashes: [bodyHash] });
    }
  });
}

const BATCHES = `
select batch_id, sealed_number as number, is_straggler as straggler, received_at, earliest_event_time as earliest,
  event_count
from (
  select batch_id, sealed_number, is_straggler, received_at, earliest_event_time, event_count,
    sum(event_count) over (order by sealed_number) as events
  from usage_batches where org = $1 and sealed_number > $2 and sealed_number <= $3
    and sealed_number <= $2::bigint + 1000
) counted where events <= $4::bigint or events = event_count order by sealed_number`;

const ROWS = `
select e.batch_id, ${STORED_EVENT_COLUMNS} from usage_events e
where e.org = $1 and e.batch_id = any($2) order by e.batch_id, e.idempotency_id collate "C"`;
