import { createHash } from 'node:crypto';
import type { Uuid } from '../src/kernel/ids.js';
import type { Instant } from '../src/kernel/instant.js';
import type { CountedEvent } from '../src/metering/domain/counter.js';
import { canonicalProperties, type Properties } from '../src/metering/domain/properties.js';
import { bodyHashOf } from '../src/metering/domain/usage-event.js';
import { membersOf } from './members-of.js';
import { RefusedBundle } from './refused-bundle.js';

/** A usage event with the number of its batch. */
export type BundledUsage = CountedEvent & { readonly batch: number };

/** A usage batch, with the body hashes of all its rows as 64 hexadecimal digits. */
export interface BundledBatch {
  readonly number: number;
  readonly bodyHashes: readonly string[];
  readonly earliest: Instant;
  readonly receivedAt: Instant;
  readonly straggler: boolean;
}

export const usageKey = (customerKey: Uuid, eventName: string): string =>
  JSON.stringify([customerKey, eventName]);

/** Reads the lines of `batches.jsonl`. */
export class BatchesByNumber {
  readonly batches = new Map<number, BundledBatch>();
  #last = 0;

  /** @throws RefusedBundle */
  add(value: unknown, place: string): void {
    const batch = membersOf<Record<string, never>>(value, place, {
      ...{ body_hashes: 'object', digest: 'string', earliest: 'string', events: 'number' },
      ...{ number: 'number', received_at: 'string', straggler: 'boolean' },
    });
    const number: number = batch['number']!;
    const bodyHashes: readonly string[] = batch['body_hashes']!;
    if (number <= this.#last) throw new RefusedBundle(`${place}: batch ${number} comes after ${this.#last}`);
    this.#last = number;
    if (!Array.isArray(bodyHashes) || !bodyHashes.every((hash) => /^[0-9a-f]{64}$/.test(String(hash)))) {
      throw new RefusedBundle(`${place}: body_hashes are no hashes`);
    }
    if (bodyHashes.length !== batch['events']) {
      throw new RefusedBundle(`${place}: events stated ${batch['events']}, found ${bodyHashes.length}`);
    }
    const digest = createHash('sha256');
    for (const hash of bodyHashes) digest.update(hash, 'hex');
    const found = digest.digest('hex');
    if (found !== batch['digest']) {
      throw new RefusedBundle(`${place}: digest stated ${String(batch['digest'])}, found ${found}`);
    }
    const [earliest, receivedAt] = [batch['earliest']!, batch['received_at']!];
    this.batches.set(number, { number, bodyHashes, earliest, receivedAt, straggler: batch['straggler']! });
  }
}

type UsagePlace = Pick<CountedEvent, 'customerKey' | 'eventName' | 'time' | 'idempotencyId'>;

/** Usage is in the order of customer keys, event names, times, and the bytes of the ids. */
function isBefore(a: UsagePlace, b: UsagePlace): boolean {
  if (a.customerKey !== b.customerKey) return a.customerKey < b.customerKey;
  if (a.eventName !== b.eventName) return a.eventName < b.eventName;
  if (a.time !== b.time) return a.time < b.time;
  return Buffer.compare(Buffer.from(a.idempotencyId), Buffer.from(b.idempotencyId)) < 0;
}

/** Reads the lines of `usage.jsonl`. */
export class UsageByCustomer {
  readonly rows = new Map<string, BundledUsage[]>();
  readonly #ids = new Set<string>();
  readonly #hashes = new Map<number, ReadonlySet<string>>();
  #last: UsagePlace | undefined;

  constructor(private readonly batches: ReadonlyMap<number, BundledBatch>) {}

  add(value: unknown, place: string): void {
    const row = membersOf<Record<string, string> & { batch: number; properties: Properties }>(value, place, {
      ...{ batch: 'number', customer_key: 'string', event_name: 'string', event_time: 'string' },
      ...{ idempotency_id: 'string', properties: 'object' },
    });
    const said = {
      idempotencyId: row['idempotency_id']!,
      customerKey: row['customer_key']!,
      eventName: row['event_name']!,
      time: row['event_time'] as Instant,
    };
    const id = said.idempotencyId;
    if (this.#ids.has(id))
      throw new RefusedBundle(`${place}: usage event ${JSON.stringify(id)} is there twice`);
    this.#ids.add(id);
    const bodyHash = bodyHashOf({ ...said, properties: canonicalProperties(row.properties) });
    const batch = this.batches.get(row.batch);
    if (!batch || !this.#hashesOf(batch).has(bodyHash)) {
      throw new RefusedBundle(
        `${place}: usage event ${JSON.stringify(id)} has the body hash ${bodyHash}, which batch ${row.batch} does not hold`,
      );
    }
    if (said.time < batch.earliest) {
      throw new RefusedBundle(`${place}: ${said.time} is before the earliest time of batch ${row.batch}`);
    }
    if (this.#last && !isBefore(this.#last, said)) {
      throw new RefusedBundle(`${place}: usage event ${JSON.stringify(id)} is not in the order of usage`);
    }
    this.#last = said;
    const key = usageKey(said.customerKey, said.eventName);
    const rows = this.rows.get(key) ?? [];
    if (rows.length === 0) this.rows.set(key, rows);
    rows.push({ ...said, properties: row.properties, bodyHash, batch: row.batch });
  }

  #hashesOf({ number, bodyHashes }: BundledBatch): ReadonlySet<string> {
    const known = this.#hashes.get(number) ?? new Set(bodyHashes);
    this.#hashes.set(number, known);
    return known;
  }
}
