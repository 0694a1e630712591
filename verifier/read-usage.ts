import { hash } from 'node:crypto';
import type { Uuid } from '../src/kernel/ids.js';
import type { Instant } from '../src/kernel/instant.js';
import type { CountedEvent } from '../src/metering/domain/counter.js';
import { canonicalProperties, type Properties } from '../src/metering/domain/properties.js';
import { bodyHashOf } from '../src/metering/domain/usage-event.js';
import { HASH_BYTES } from '../src/transparency/domain/merkle.js';
import { membersOf } from './members-of.js';
import { RefusedBundle } from './refused-bundle.js';

/** A usage event with the number of its batch. */
export type BundledUsage = CountedEvent & { readonly batch: number };

/** A usage batch, with the body hashes of all its rows, 32 bytes each. */
export interface BundledBatch {
  readonly number: number;
  readonly bodyHashes: Buffer;
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
    const hashes: readonly string[] = batch['body_hashes']!;
    if (number <= this.#last) throw new RefusedBundle(`${place}: batch ${number} comes after ${this.#last}`);
    this.#last = number;
    if (!Array.isArray(hashes) || !hashes.every((one) => /^[0-9a-f]{64}$/.test(String(one)))) {
      throw new RefusedBundle(`${place}: body_hashes are no hashes`);
    }
    if (hashes.length !== batch['events']) {
      throw new RefusedBundle(`${place}: events stated ${batch['events']}, found ${hashes.length}`);
    }
    const bodyHashes = Buffer.from(hashes.join(''), 'hex');
    const found = hash('sha256', bodyHashes);
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

/** A row of usage in little memory: its body hash stands in the batch. */
class UsageRow implements BundledUsage {
  constructor(
    readonly customerKey: Uuid,
    readonly eventName: string,
    readonly time: Instant,
    readonly idempotencyId: string,
    readonly properties: Properties,
    private readonly of: BundledBatch,
    private readonly at: number,
  ) {}

  get batch(): number {
    return this.of.number;
  }

  get bodyHash(): string {
    return this.of.bodyHashes.toString('hex', this.at, this.at + HASH_BYTES);
  }
}

/** Reads the lines of `usage.jsonl`. */
export class UsageByCustomer {
  readonly rows = new Map<string, BundledUsage[]>();
  readonly #ids = new Set<string>();
  /** Rows of the customer and event name that are read. */
  #open: BundledUsage[] = [];

  constructor(private readonly batches: ReadonlyMap<number, BundledBatch>) {}

  add(value: unknown, place: string): void {
    const line = membersOf<Record<string, string> & { batch: number; properties: Properties }>(value, place, {
      ...{ batch: 'number', customer_key: 'string', event_name: 'string', event_time: 'string' },
      ...{ idempotency_id: 'string', properties: 'object' },
    });
    const { batch: number, properties } = line;
    const said = {
      idempotencyId: line['idempotency_id']!,
      customerKey: line['customer_key']!,
      eventName: line['event_name']!,
      time: line['event_time'] as Instant,
    };
    const id = said.idempotencyId;
    const name = `usage event ${JSON.stringify(id)}`;
    if (this.#ids.has(id)) throw new RefusedBundle(`${place}: ${name} is there twice`);
    this.#ids.add(id);
    const bodyHash = bodyHashOf({ ...said, properties: canonicalProperties(properties) });
    const batch = this.batches.get(number);
    const at = batch ? placeOf(Buffer.from(bodyHash, 'hex'), batch.bodyHashes) : -1;
    if (!batch || at < 0) {
      throw new RefusedBundle(
        `${place}: ${name} has the body hash ${bodyHash}, which batch ${number} does not hold`,
      );
    }
    if (said.time < batch.earliest) {
      throw new RefusedBundle(`${place}: ${said.time} is before the earliest time of batch ${number}`);
    }
    const before = this.#open.at(-1);
    if (before && !isBefore(before, said))
      throw new RefusedBundle(`${place}: ${name} is not in the order of usage`);
    const isNext = before?.customerKey === said.customerKey && before.eventName === said.eventName;
    // The texts of the row before are kept for all rows, instead of those of each line.
    const { customerKey, eventName } = isNext ? before : said;
    if (!isNext) this.rows.set(usageKey(customerKey, eventName), (this.#open = []));
    this.#open.push(new UsageRow(customerKey, eventName, said.time, id, properties, batch, at));
  }
}

/** Where a hash stands among others, in bytes; -1 where it does not. */
function placeOf(hash: Buffer, hashes: Buffer): number {
  for (let at = hashes.indexOf(hash); at >= 0; at = hashes.indexOf(hash, at + 1)) {
    if (at % HASH_BYTES === 0) return at;
  }
  return -1;
}
