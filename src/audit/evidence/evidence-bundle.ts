import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ZipFile } from 'yazl';
import type { IssuedInvoice } from '../../billing/invoices/issued-invoice.js';
import { GetInvoicePdf } from '../../billing/pdf/get-invoice-pdf.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { toWireId, type Uuid } from '../../kernel/ids.js';
import { STORED_EVENTS, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { EvidenceSelector, type BundledInvoice, type EvidenceSelection } from './evidence-selection.js';
import { TreeProofs, type ProvenBy } from './tree-proofs.js';
import { UsageRows } from './usage-rows.js';

/** Version of the format (docs/evidence-bundle.md). */
const FORMAT_VERSION = 1;

/** Archives have no times of their own, so that the same evidence is the same bytes. */
const NO_TIME = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** Characters that are handed to the archive at once. */
const CHUNK = 64 * 1024;

/** Events whose proofs are read from the tree by one statement. */
const PROOFS_AT_ONCE = 200;

export interface EvidenceRequest {
  readonly org: Uuid;
  readonly invoices: readonly IssuedInvoice[];
  /** Whether the documents of the invoices are wanted, which name persons. */
  readonly withPdfs: boolean;
}

interface FileSummary {
  readonly bytes: number;
  readonly lines?: number;
  readonly sha256: string;
}

/** Writes evidence bundles: archives with all that invoices follow from (docs/evidence-bundle.md). */
@Injectable()
export class EvidenceBundles {
  constructor(
    @Inject(STORED_EVENTS) private readonly store: EventStore,
    private readonly selector: EvidenceSelector,
    private readonly usage: UsageRows,
    private readonly proofs: TreeProofs,
    private readonly queries: QueryBus,
  ) {}

  /** Streams the archive: files are read while they are written, one after the other. */
  async open({ org, invoices, withPdfs }: EvidenceRequest): Promise<Readable> {
    const selection = await this.selector.select(org, invoices);
    const proven = await this.proofs.newest(org);
    const newest = new Map<string, bigint>();
    const files: Record<string, FileSummary> = {};
    const batches = new BatchSet();
    const zip = new ZipFile();
    const add = (name: string, lines: AsyncIterable<unknown>): void =>
      zip.addReadStreamLazy(name, NO_TIME, (done) =>
        done(null, Readable.from(writing(lines, (summary) => (files[name] = summary)))),
      );
    add('events.jsonl', this.eventLines(selection, newest));
    add('usage.jsonl', this.usageLines(org, selection, batches));
    add('batches.jsonl', this.batchLines(org, batches));
    add('invoices.jsonl', invoiceLines(selection.invoices));
    if (proven) {
      add('checkpoint.jsonl', checkpointLines(proven));
      add('consistency.jsonl', this.proofs.continued(org, proven));
      add('proofs.jsonl', this.proofLines(org, proven, newest, batches));
    }
    for (const { number, computed } of withPdfs ? selection.invoices : []) {
      const name = `pdfs/${number}.pdf`;
      zip.addReadStreamLazy(name, NO_TIME, (done) => {
        this.queries.execute(new GetInvoicePdf(org, computed.invoiceId)).then(
          ({ bytes }) => {
            files[name] = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
            done(null, Readable.from([bytes]));
          },
          (error: unknown) => done(error as Error, undefined as never),
        );
      });
    }
    zip.addReadStreamLazy('manifest.json', NO_TIME, (done) =>
      done(null, Readable.from([Buffer.from(manifestOf(org, selection, files))])),
    );
    const archive = zip.outputStream as Readable;
    zip.on('error', (error) => archive.destroy(error as Error));
    zip.end();
    return archive;
  }

  /** @param newest gets the newest revision of each stream, as events may be appended meanwhile */
  private async *eventLines(
    { streams }: EvidenceSelection,
    newest: Map<string, bigint>,
  ): AsyncGenerator<object> {
    for (const name of streams) {
      for await (const event of this.store.readStream(name)) {
        const { data, id, metadata, revision, stream, type } = event;
        newest.set(stream, revision);
        yield { data, id, metadata, revision: Number(revision), stream, type };
      }
    }
  }

  private async *proofLines(
    org: Uuid,
    proven: ProvenBy,
    newest: ReadonlyMap<string, bigint>,
    batches: BatchSet,
  ): AsyncGenerator<object> {
    let page: RecordedEvent[] = [];
    for (const [name, revision] of newest) {
      for await (const event of this.store.readStream(name)) {
        if (event.revision > revision) break;
        page.push(event);
        if (page.length < PROOFS_AT_ONCE) continue;
        yield* this.proofs.ofEvents(org, page, proven);
        page = [];
      }
    }
    if (page.length > 0) yield* this.proofs.ofEvents(org, page, proven);
    for (const numbers of batches.pages()) {
      for (const number of numbers) {
        const line = await this.proofs.ofBatch(org, number, proven);
        if (line) yield line;
      }
    }
  }

  private async *usageLines(
    org: Uuid,
    selection: EvidenceSelection,
    batches: BatchSet,
  ): AsyncGenerator<object> {
    for (const span of selection.usage) {
      for await (const row of this.usage.rowsOf(org, span, (batch) => batches.add(batch))) {
        yield { ...row, properties: JSON.parse(row.properties) as object };
      }
    }
  }

  private async *batchLines(org: Uuid, batches: BatchSet): AsyncGenerator<object> {
    for (const numbers of batches.pages()) yield* this.usage.batchesOf(org, numbers);
  }
}

/** Numbers of batches, a bit each: a million of them take 125 kB. */
class BatchSet {
  #bits = new Uint8Array(1024);

  add(number: number): void {
    const at = number >> 3;
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[at]! |= 1 << (number & 7);
  }

  /** Yields the numbers in order, some at a time. */
  *pages(): Generator<number[]> {
    let page: number[] = [];
    for (const [at, bits] of this.#bits.entries()) {
      for (let bit = 0; bits >> bit > 0; bit++) if ((bits >> bit) & 1) page.push(at * 8 + bit);
      if (page.length < 1_000) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }
}

/** Writes JSON lines in chunks. @param done is told of the file once it is complete */
async function* writing(
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  done: (summary: FileSummary) => void,
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let [text, count, bytes] = ['', 0, 0];
  const chunk = (): Buffer => {
    const buffer = Buffer.from(text);
    digest.update(buffer);
    bytes += buffer.length;
    text = '';
    return buffer;
  };
  for await (const line of lines) {
    text += `${canonicalJson(line)}\n`;
    count += 1;
    if (text.length >= CHUNK) yield chunk();
  }
  if (text !== '') yield chunk();
  done({ bytes, lines: count, sha256: digest.digest('hex') });
}

async function* invoiceLines(invoices: readonly BundledInvoice[]): AsyncGenerator<object> {
  for (const { number, stream, revision, computed } of invoices) {
    yield {
      cost_due: computed.costDue,
      currency: computed.currency,
      due_at: computed.dueAt,
      fingerprint: computed.fingerprint,
      id: toWireId('invoice', computed.invoiceId),
      issued_at: computed.issuedAt,
      lines: computed.lines,
      number,
      result_hash: computed.resultHash,
      revision: Number(revision),
      stream,
      total: computed.total,
    };
  }
}

async function* checkpointLines({ note }: ProvenBy): AsyncGenerator<object> {
  yield { note };
}

const manifestOf = (
  org: Uuid,
  { invoices }: EvidenceSelection,
  files: Readonly<Record<string, FileSummary>>,
): string =>
  `${canonicalJson({
    files,
    format: 'recount-evidence',
    invoices: invoices.map(({ number }) => number),
    organization: toWireId('org', org),
    version: FORMAT_VERSION,
  })}\n`;
