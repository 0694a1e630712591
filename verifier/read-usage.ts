import { hash } from 'node:crypto';
import { canonicalJson } from '../src/kernel/canonical-json.js';
import type { Uuid } from '../src/kernel/ids.js';
import type { Instant } from '../src/kernel/instant.js';
import { byIdBytes, type CountedEvent } from '../src/metering/domain/counter.js';
import { requireFit, type Properties } from '../src/metering/domain/properties.js';
import { bodyTextOf } from '../src/metering/domain/usage-event.js';
import { HASH_BYTES } from '../src/transparency/domain/merkle.js';
import type { BatchTable, BundledBatch } from './batch-table.js';
import { bodyTextOfLine, type UsageLine } from './line-texts.js';
import { lineOf, requireCanonical, requireMembers, type Kind } from './json-members.js';
import type { Line } from './read-archive.js';
import { refusedAt, RefusedBundle } from './refused-bundle.js';

/** A usage event with the number of its batch. */
export type BundledUsage = CountedEvent & { readonly batch: number };

/** Usage batch with everything in its leaf. */
export interface ProvableBatch extends BundledBatch {
  readonly receivedAt: Instant;
  readonly straggler: boolean;
}

/** Reads a line of `batches.jsonl`. @throws RefusedBundle */
export function batchOf(line: Line): ProvableBatch {
  const { location } = line;
  const batch = lineOf<Record<string, never>>(line, {
    body_hashes: 'list',
    digest: 'string',
    earliest: 'string',
    events: 'integer',
    number: 'integer',
    received_at: 'string',
    straggler: 'boolean',
  });
  const hashes: readonly string[] = batch['body_hashes']!;
  if (!hashes.every((one) => typeof one === 'string' && /^[0-9a-f]{64}$/.test(one))) {
    throw new RefusedBundle(`${location}: body_hashes are no hashes`);
  }
  if (hashes.length !== batch['events']) {
    throw new RefusedBundle(`${location}: events stated ${batch['events']}, found ${hashes.length}`);
  }
  const bodyHashes = Buffer.from(hashes.join(''), 'hex');
  const found = hash('sha256', bodyHashes);
  if (found !== batch['digest']) {
    throw new RefusedBundle(`${location}: digest stated ${String(batch['digest'])}, found ${found}`);
  }
  const [earliest, receivedAt] = [batch['earliest']!, batch['received_at']!];
  requireTime(earliest, `${location}: earliest`);
  return { number: batch['number']!, bodyHashes, earliest, receivedAt, straggler: batch['straggler']! };
}

const USAGE: Readonly<Record<string, Kind>> = {
  batch: 'integer',
  customer_key: 'string',
  event_name: 'string',
  event_time: 'string',
  idempotency_id: 'string',
  properties: 'object',
};

/** Text of a time; the body hash covers it unchanged. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** @throws RefusedBundle */
export function usageLineOf({ value, location }: Line): UsageLine {
  const line = requireMembers<UsageLine>(value, location, USAGE);
  requireTime(line.event_time, `${location}: event_time`);
  return line;
}

/** @throws RefusedBundle */
function requireTime(time: string, name: string): void {
  if (!TIME.test(time)) throw new RefusedBundle(`${name} is no time such as 2026-01-31T12:00:00.000000Z`);
}

type UsagePlace = Pick<CountedEvent, 'eventName' | 'time' | 'idempotencyId'>;

/** The usage of a customer is in the order of event names, times, and the bytes of the ids. */
function isBefore(a: UsagePlace, b: UsagePlace): boolean {
  if (a.eventName !== b.eventName) return a.eventName < b.eventName;
  if (a.time !== b.time) return a.time < b.time;
  return byIdBytes(a, b) < 0;
}

/** Row of usage in little memory: its body hash is in the batch. */
class UsageRow implements BundledUsage {
  constructor(
    readonly customerKey: Uuid,
    readonly eventName: string,
    readonly time: Instant,
    readonly idempotencyId: string,
    readonly properties: Properties,
    readonly batch: number,
    private readonly hashes: ArrayBufferLike,
    private readonly at: number,
  ) {}

  get bodyHash(): string {
    return Buffer.from(this.hashes, this.at, HASH_BYTES).toString('hex');
  }
}

/** Reads the usage of one customer. */
export class BundledUsageRows {
  readonly rows = new Map<string, BundledUsage[]>();
  readonly #ids = new Set<string>();
  /** Rows of the current event name. */
  #open: BundledUsage[] = [];

  constructor(
    private readonly customerKey: Uuid,
    private readonly batches: Pick<BatchTable, 'find'>,
  ) {}

  /** @throws RefusedBundle */
  add(line: UsageLine, { text, location }: Line): void {
    const { batch: number, idempotency_id: id, event_time: time, properties } = line;
    const name = `usage event ${JSON.stringify(id)}`;
    if (this.#ids.has(id)) throw new RefusedBundle(`${location}: ${name} is there twice`);
    this.#ids.add(id);
    const before = this.#open.at(-1);
    const isNext = before?.eventName === line.event_name;
    // Shares the text of the row before, instead of keeping that of each line.
    const eventName = isNext ? before.eventName : line.event_name;
    const said = { idempotencyId: id, customerKey: this.customerKey, eventName, time };
    refusedAt(location, () => requireFit(properties, text));
    const batch = this.batches.find(number);
    const written = bodyTextOfLine(text, line);
    const at = batch && written !== undefined ? offsetOf(written, batch.bodyHashes) : -1;
    if (!batch || at < 0) {
      const body = bodyTextOf({ ...said, properties: canonicalJson(properties) });
      if (batch && offsetOf(body, batch.bodyHashes) >= 0) requireCanonical({ value: line, text, location });
      throw new RefusedBundle(
        `${location}: ${name} has the body hash ${hash('sha256', body)}, which batch ${number} does not hold`,
      );
    }
    if (time < batch.earliest) {
      throw new RefusedBundle(`${location}: ${time} is before the earliest time of batch ${number}`);
    }
    if (before && !isBefore(before, said))
      throw new RefusedBundle(`${location}: ${name} is not in the order of usage`);
    if (!isNext) this.rows.set(eventName, (this.#open = []));
    const { buffer, byteOffset } = batch.bodyHashes;
    this.#open.push(
      new UsageRow(this.customerKey, eventName, time, id, properties, number, buffer, byteOffset + at),
    );
  }
}

/** Returns the offset, among hashes, of that of a text; in bytes, -1 for an unknown one. */
function offsetOf(text: string, all: Uint8Array): number {
  const sought = hash('sha256', text, 'buffer');
  const hashes = Buffer.from(all.buffer, all.byteOffset, all.length);
  // The page's hash is no Buffer, which alone can be looked for.
  const own = Buffer.from(sought.buffer, sought.byteOffset, sought.length);
  for (let at = hashes.indexOf(own); at >= 0; at = hashes.indexOf(own, at + 1)) {
    if (at % HASH_BYTES === 0) return at;
  }
  return -1;
}
