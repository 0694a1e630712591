import { canonicalJson } from '../src/kernel/canonical-json.js';
import { upcastEvent, type RecordedEvent } from '../src/kernel/event.js';
import { derivedId, type Uuid } from '../src/kernel/ids.js';
import { orgOf } from '../src/kernel/stream.js';
import type { VerifyEd25519 } from '../src/transparency/domain/note.js';
import { UPCASTERS } from '../src/upcasters.js';
import { membersOf, type Kind } from './members-of.js';
import type { Bundle, BundledProof, ProvenBundle, StatedInvoice } from './bundle.js';
import { ProofChecker } from './check-proofs.js';
import type { Archive } from './read-archive.js';
import { readManifest, requireSame } from './read-manifest.js';
import { BatchesByNumber, UsageByCustomer } from './read-usage.js';
import { RefusedBundle } from './refused-bundle.js';

/**
 * Reads a bundle and checks its proofs.
 * @throws RefusedBundle that says where it is not as it was written
 */
export async function readBundle(
  archive: Archive,
  verifierKey: string | undefined,
  verifyEd25519: VerifyEd25519,
): Promise<Bundle> {
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

  const numbered = new BatchesByNumber();
  const batchCount = await read('batches.jsonl', (value, place) => numbered.add(value, place));
  const { batches } = numbered;
  const usage = new UsageByCustomer(batches);
  const usageCount = await read('usage.jsonl', (value, place) => usage.add(value, place));
  const events = new EventsByStream(org);
  const eventCount = await read('events.jsonl', (value, place) => events.add(value, place));
  let checkpoint: string | undefined;
  let proven: ProvenBundle | undefined;
  const continued = new Map<number, readonly string[]>();
  let last = -1;
  if (Object.hasOwn(files, 'checkpoint.jsonl')) {
    await read('checkpoint.jsonl', (value, place) => {
      checkpoint = membersOf<{ note: string }>(value, place, { note: 'string' }).note;
    });
    await read('consistency.jsonl', (value, place) => {
      const line = membersOf<{ size: number; hashes: unknown }>(value, place, {
        size: 'number',
        hashes: 'object',
      });
      if (line.size <= last) throw new RefusedBundle(`${place}: size ${line.size} comes after ${last}`);
      last = line.size;
      continued.set(line.size, textsOf(line.hashes, place));
    });
    const note = checkpoint ?? '';
    const items = [...events.stored, ...batches.values()];
    const proofs = new ProofChecker(items, { note, organization }, verifierKey, verifyEd25519);
    await read('proofs.jsonl', (value, place) => proofs.add(proofOf(value, place)));
    proven = proofs.end(continued);
  }
  const invoices: StatedInvoice[] = [];
  await read('invoices.jsonl', (value, place) => invoices.push(invoiceOf(value, place)));
  const numbers = invoices.map(({ number }) => number);
  if (canonicalJson(numbers) !== canonicalJson(manifest.invoices)) {
    throw new RefusedBundle('manifest.json: it lists other invoices than invoices.jsonl');
  }
  return {
    ...{ org, organization, batches, invoices, pdfs, checkpoint, proven, continued },
    ...{ events: events.lifted, usage: usage.rows },
    counts: { events: eventCount, usage: usageCount, batches: batchCount, invoices: invoices.length },
  };
}

class EventsByStream {
  /** Events as stored, in their order. */
  readonly stored: RecordedEvent[] = [];
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
    const last = this.stored.at(-1);
    if (last?.stream === stream && last.revision >= BigInt(line.revision)) {
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
    this.stored.push(event);
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
  const isBatch = typeof value === 'object' && value !== null && 'batch' in value;
  const named: Readonly<Record<string, Kind>> = isBatch
    ? { batch: 'number' }
    : { stream: 'string', revision: 'number' };
  const line = membersOf<Record<string, unknown> & { index: number; hashes: unknown }>(value, place, {
    ...{ index: 'number', hashes: 'object' },
    ...named,
  });
  const of = isBatch
    ? { number: line['batch'] as number }
    : { stream: line['stream'] as string, revision: line['revision'] as number };
  return { place, of, index: line.index, hashes: textsOf(line.hashes, place) };
}

/** @throws RefusedBundle */
function textsOf(hashes: unknown, place: string): readonly string[] {
  if (!Array.isArray(hashes) || hashes.some((hash) => typeof hash !== 'string')) {
    throw new RefusedBundle(`${place}: hashes are no texts`);
  }
  return hashes as readonly string[];
}

const invoiceOf = (value: unknown, place: string): StatedInvoice =>
  membersOf(value, place, {
    ...{ id: 'string', number: 'string', stream: 'string', revision: 'number', currency: 'string' },
    ...{ cost_due: 'object', due_at: 'any', fingerprint: 'string', issued_at: 'string', lines: 'object' },
    ...{ result_hash: 'string', total: 'object' },
  });
