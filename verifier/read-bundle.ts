import { createHash } from 'node:crypto';
import { canonicalJson } from '../src/kernel/canonical-json.js';
import { upcastEvent, type RecordedEvent } from '../src/kernel/event.js';
import { derivedId, type Uuid } from '../src/kernel/ids.js';
import type { Instant } from '../src/kernel/instant.js';
import { orgOf } from '../src/kernel/stream.js';
import type { CountedEvent } from '../src/metering/domain/counter.js';
import { canonicalProperties, type Properties } from '../src/metering/domain/properties.js';
import { bodyHashOf } from '../src/metering/domain/usage-event.js';
import { UPCASTERS } from '../src/upcasters.js';
import type { Archive } from './read-archive.js';
import { readManifest, requireSame } from './read-manifest.js';
import { RefusedBundle } from './refused-bundle.js';

/** A usage event with the number of its batch. */
type BundledUsage = CountedEvent & { readonly batch: number };

/** A usage batch, with the body hashes of all its rows as 64 hexadecimal digits. */
interface BundledBatch {
  readonly number: number;
  readonly bodyHashes: readonly string[];
  readonly earliest: Instant;
  readonly receivedAt: Instant;
  readonly straggler: boolean;
}

/** A line of `proofs.jsonl`. */
interface BundledProof {
  readonly place: string;
  /** `stream@revision`, or `usage batch` and its number. */
  readonly name: string;
  readonly index: number;
  readonly hashes: readonly string[];
}

/** A line of `invoices.jsonl`. */
export interface StatedInvoice extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly number: string;
  readonly stream: string;
  readonly revision: number;
}

/** A bundle whose files are complete and whose own hashes fit. */
export interface Bundle {
  readonly org: Uuid;
  readonly organization: string;
  /** Events by stream, as stored. */
  readonly stored: ReadonlyMap<string, readonly RecordedEvent[]>;
  /** Events by stream, lifted to the newest shapes. */
  readonly events: ReadonlyMap<string, readonly RecordedEvent[]>;
  /** Usage by customer key and event name. */
  readonly usage: ReadonlyMap<string, readonly BundledUsage[]>;
  readonly batches: ReadonlyMap<number, BundledBatch>;
  readonly invoices: readonly StatedInvoice[];
  readonly counts: Readonly<Record<'events' | 'usage' | 'batches' | 'invoices', number>>;
  /** The signed note that the proofs lead to. */
  readonly checkpoint: string | undefined;
  readonly proofs: readonly BundledProof[];
  /** Consistency proofs by the size of the earlier tree, in base64. */
  readonly continued: ReadonlyMap<number, readonly string[]>;
  /** SHA-256 of the documents, by name. */
  readonly pdfs: ReadonlyMap<string, string>;
}

export const usageKey = (customerKey: Uuid, eventName: string): string =>
  JSON.stringify([customerKey, eventName]);

/** Reads a bundle. @throws RefusedBundle that says where it is not as it was written */
export async function readBundle(archive: Archive): Promise<Bundle> {
  const manifest = await readManifest(archive);
  const { org, organization, files } = manifest;
  const unlisted = archive.names.find((name) => name !== 'manifest.json' && !Object.hasOwn(files, name));
  if (unlisted !== undefined) throw new RefusedBundle(`${unlisted}: the manifest does not list it`);
  const pdfs = new Map<string, string>();
  for (const name of Object.keys(files)) {
    if (name.endsWith('.jsonl')) continue;
    const summary = await archive.summary(name);
    requireSame(name, files[name]!, summary);
    if (name.startsWith('pdfs/')) pdfs.set(name, summary.sha256);
  }
  const read = async (name: string, take: (value: unknown, place: string) => void): Promise<number> => {
    if (!Object.hasOwn(files, name)) throw new RefusedBundle(`manifest.json: it does not list ${name}`);
    const summary = await archive.lines(name, (value, line) => take(value, `${name}, line ${line}`));
    requireSame(name, files[name]!, summary);
    return summary.lines ?? 0;
  };

  const batches = new Map<number, BundledBatch>();
  const batchCount = await read('batches.jsonl', (value, place) => readBatch(value, place, batches));
  const usage = new UsageByCustomer(batches);
  const usageCount = await read('usage.jsonl', (value, place) => usage.add(value, place));
  const events = new EventsByStream(org);
  const eventCount = await read('events.jsonl', (value, place) => events.add(value, place));
  let checkpoint: string | undefined;
  const proofs: BundledProof[] = [];
  const continued = new Map<number, readonly string[]>();
  if (Object.hasOwn(files, 'checkpoint.jsonl')) {
    await read('checkpoint.jsonl', (value, place) => {
      checkpoint = membersOf<{ note: string }>(value, place, { note: 'string' }).note;
    });
    await read('consistency.jsonl', (value, place) => {
      const line = membersOf<{ size: number; hashes: unknown }>(value, place, { size: 'number' });
      continued.set(line.size, textsOf(line.hashes, place));
    });
    await read('proofs.jsonl', (value, place) => proofs.push(proofOf(value, place)));
  }
  const invoices: StatedInvoice[] = [];
  await read('invoices.jsonl', (value, place) => invoices.push(invoiceOf(value, place)));
  const numbers = invoices.map(({ number }) => number);
  if (canonicalJson(numbers) !== canonicalJson(manifest.invoices)) {
    throw new RefusedBundle('manifest.json: it lists other invoices than invoices.jsonl');
  }
  return {
    ...{ org, organization, batches, invoices, pdfs, checkpoint, proofs, continued },
    ...{ stored: events.stored, events: events.lifted, usage: usage.rows },
    counts: { events: eventCount, usage: usageCount, batches: batchCount, invoices: invoices.length },
  };
}

type Kind = 'string' | 'number' | 'object' | 'boolean';

/** Reads an object whose members have the given types. @throws RefusedBundle */
function membersOf<Shape>(value: unknown, place: string, kinds: Readonly<Record<string, Kind>>): Shape {
  if (typeof value !== 'object' || value === null) throw new RefusedBundle(`${place}: not an object`);
  for (const [name, kind] of Object.entries(kinds)) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === kind && member !== null) continue;
    throw new RefusedBundle(`${place}: ${name} is no ${kind}`);
  }
  return value as Shape;
}

function readBatch(value: unknown, place: string, batches: Map<number, BundledBatch>): void {
  const batch = membersOf<Record<string, never>>(value, place, {
    ...{ body_hashes: 'object', digest: 'string', earliest: 'string', events: 'number' },
    ...{ number: 'number', received_at: 'string', straggler: 'boolean' },
  });
  const number: number = batch['number']!;
  const bodyHashes: readonly string[] = batch['body_hashes']!;
  if (batches.has(number)) throw new RefusedBundle(`${place}: batch ${number} is there twice`);
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
  batches.set(number, { number, bodyHashes, earliest, receivedAt, straggler: batch['straggler']! });
}

class UsageByCustomer {
  readonly rows = new Map<string, BundledUsage[]>();
  readonly #ids = new Set<string>();
  readonly #hashes = new Map<number, ReadonlySet<string>>();

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

class EventsByStream {
  readonly stored = new Map<string, RecordedEvent[]>();
  readonly lifted = new Map<string, RecordedEvent[]>();
  /** Events of each command in the stream that is read. */
  #indexes = new Map<Uuid, number>();
  #stream = '';

  constructor(private readonly org: Uuid) {}

  add(value: unknown, place: string): void {
    const line = membersOf<Omit<RecordedEvent, 'revision'> & { revision: number }>(value, place, {
      ...{
        data: 'object',
        id: 'string',
        metadata: 'object',
        revision: 'number',
        stream: 'string',
        type: 'string',
      },
    });
    const { stream, metadata } = line;
    if (orgOf(stream) !== this.org || metadata.org !== this.org) {
      throw new RefusedBundle(`${place}: the event is of another organization than the bundle`);
    }
    if (stream !== this.#stream) {
      if (stream < this.#stream)
        throw new RefusedBundle(`${place}: streams are not in the order of their names`);
      this.#stream = stream;
      this.#indexes = new Map();
    }
    const events = this.stored.get(stream) ?? [];
    const last = events.at(-1);
    if (last && last.revision >= BigInt(line.revision)) {
      throw new RefusedBundle(
        `${place}: revision ${line.revision} of ${stream} comes after ${last.revision}`,
      );
    }
    const index = this.#indexes.get(metadata.commandId) ?? 0;
    this.#indexes.set(metadata.commandId, index + 1);
    const id = derivedId(metadata.commandId, `${stream}#${index}`);
    if (id !== line.id) throw new RefusedBundle(`${place}: id stated ${line.id}, its command gives it ${id}`);
    const event: RecordedEvent = {
      ...line,
      revision: BigInt(line.revision),
      position: { commit: 0n, prepare: 0n },
    };
    this.stored.set(stream, events);
    events.push(event);
    const lifted = this.lifted.get(stream) ?? [];
    this.lifted.set(stream, lifted);
    try {
      lifted.push(upcastEvent(UPCASTERS, event));
    } catch (error) {
      throw new RefusedBundle(`${place}: ${(error as Error).message}`);
    }
  }
}

function proofOf(value: unknown, place: string): BundledProof {
  const line = membersOf<Record<string, unknown> & { index: number; hashes: unknown }>(value, place, {
    index: 'number',
    hashes: 'object',
  });
  const name =
    'batch' in line
      ? `usage batch ${String(line['batch'])}`
      : `${String(line['stream'])}@${String(line['revision'])}`;
  return { place, name, index: line.index, hashes: textsOf(line.hashes, place) };
}

/** @throws RefusedBundle */
function textsOf(hashes: unknown, place: string): readonly string[] {
  if (!Array.isArray(hashes) || hashes.some((hash) => typeof hash !== 'string')) {
    throw new RefusedBundle(`${place}: hashes are no texts`);
  }
  return hashes as readonly string[];
}

const invoiceOf = (value: unknown, place: string): StatedInvoice =>
  membersOf(value, place, { id: 'string', number: 'string', stream: 'string', revision: 'number' });
