import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { IssuedInvoice } from '../../billing/accounts/issued-invoice.js';
import { invalidFields } from '../../kernel/errors.js';
import { BEFORE_ALL, comparePositions, type Position, streamName } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import { SETTINGS } from '../../organization/domain/organization.js';
import { STORED_EVENTS, type EventStore } from '../../platform/eventsourcing/store/event-store.js';
import { ArchiveWriter } from './archive-writer.js';
import { BatchSet } from './batch-set.js';
import { invoiceLine, manifestOf } from './bundle-lines.js';
import { nameInPart, SHARED_PART, type FileSummary } from './domain/bundle-format.js';
import type { ZipEntry } from './domain/zip-layout.js';
import { EvidenceSelector, type BundledInvoice, type CustomerSelection } from './evidence-selection.js';
import { FileWriter } from './file-writer.js';
import { PersonalDataLines } from './personal-data-lines.js';
import { TreeProofs, type BundledEvent, type ProvenBy } from './tree-proofs.js';
import { UsageRows, type UsageSpan } from './usage-rows.js';

/** A part ends with the customer whose events reach this number. */
const EVENTS_PER_PART = 10_000;

/** Bounds of a bundle. They fix its bytes: events recorded later are not part of it. */
export interface ExportBounds {
  /** Position of the newest event. */
  readonly upTo: Position;
  /** Number of the checkpoint of the proofs; null without one. */
  readonly checkpoint: number | null;
  /** Number of its cosignatures in the bundle; witnesses may add others later. */
  readonly cosignatures: number;
}

/** Written part, with everything that the rest of the archive depends on. */
export interface WrittenPart {
  readonly number: number;
  readonly lastCustomer: Uuid;
  readonly entries: readonly ZipEntry[];
  readonly files: Readonly<Record<string, FileSummary>>;
  readonly invoices: readonly string[];
  /** Streams that the part shares with others. */
  readonly shared: readonly string[];
  /** Usage batches of this part and the parts before it. */
  readonly batches: string;
}

export interface EvidenceRequest {
  readonly org: Uuid;
  /** Reads invoices in the order of customer keys, currencies and revisions. */
  readonly invoices: (after: Uuid | undefined) => AsyncIterable<IssuedInvoice>;
  /** Reads the PDF of an invoice, which names a person. Default: the bundle has no PDFs. */
  readonly pdfOf?: ((invoiceId: Uuid) => Promise<Uint8Array>) | undefined;
  /** Tells whether to disclose the personal data of the customers, as the invoices name them. */
  readonly withPersonalData?: boolean;
  /** Size of a tree that the bundle's tree is proven to continue, besides those of the checkpoints before it. */
  readonly since?: number | undefined;
  /** Default: everything that is recorded now. */
  readonly bounds?: ExportBounds;
  /** Parts that an earlier export of these bounds wrote; only the bytes after them are yielded. */
  readonly written?: readonly WrittenPart[];
  /** Called when all bytes of a part were taken. */
  readonly partEnded?: (part: WrittenPart) => Promise<void>;
  readonly eventsPerPart?: number;
}

/** Customers whose evidence shares files. */
interface Part {
  readonly events: BundledEvent[];
  readonly usage: UsageSpan[];
  readonly invoices: BundledInvoice[];
  readonly shared: Set<string>;
}

interface PartToWrite {
  readonly number: number;
  readonly part: Part;
  readonly batches: BatchSet;
  readonly proven: ProvenBy | undefined;
}

/** Writes evidence bundles: archives with all that invoices follow from (docs/evidence-bundle.md). */
@Injectable()
export class EvidenceBundles {
  constructor(
    @Inject(STORED_EVENTS) private readonly store: EventStore,
    private readonly selector: EvidenceSelector,
    private readonly usage: UsageRows,
    private readonly proofs: TreeProofs,
    private readonly personalData: PersonalDataLines,
  ) {}

  /** Returns the bounds of a bundle of everything recorded until now. */
  async bounds(org: Uuid): Promise<ExportBounds> {
    const upTo = (await this.store.head()) ?? BEFORE_ALL;
    const newest = await this.proofs.newest(org);
    return { upTo, checkpoint: newest?.number ?? null, cosignatures: newest?.cosignatures ?? 0 };
  }

  /**
   * Opens an archive, which is read while it is written.
   * @throws DomainError for a size that the tree has not reached; Error when the first customer cannot be read
   */
  async open(request: EvidenceRequest): Promise<AsyncGenerator<Uint8Array, void>> {
    const bounds = request.bounds ?? (await this.bounds(request.org));
    const { checkpoint, cosignatures } = bounds;
    const proven =
      checkpoint === null ? undefined : await this.proofs.checkpoint(request.org, checkpoint, cosignatures);
    requireReached(request.since, proven?.size ?? 0);
    const bytes = this.bytesOf(request, bounds.upTo, proven);
    const first = await bytes.next();
    return (async function* () {
      if (!first.done) yield first.value;
      yield* bytes;
    })();
  }

  private async *bytesOf(
    request: EvidenceRequest,
    upTo: Position,
    proven: ProvenBy | undefined,
  ): AsyncGenerator<Uint8Array, void> {
    const { org, written = [], eventsPerPart = EVENTS_PER_PART, withPersonalData = false } = request;
    const parts = [...written];
    const archive = new ArchiveWriter(written.flatMap(({ entries }) => entries));
    const batches = BatchSet.of(written.at(-1)?.batches ?? '');
    const selection = this.selector.begin();
    const invoices = request.invoices(written.at(-1)?.lastCustomer);
    const customers = customersOf(invoices, async (issued) => selection.select(org, issued, upTo));
    let next = await customers.next();
    while (!next.done) {
      const number = SHARED_PART + parts.length + 1;
      const files = new FileWriter(archive);
      const before = archive.entries.length;
      const part: Part = { events: [], usage: [], invoices: [], shared: new Set() };
      let lastCustomer = next.value.customerKey;
      const eventLines = this.eventLines.bind(this);
      const ofCustomers = async function* () {
        for (; !next.done && part.events.length < eventsPerPart; next = await customers.next()) {
          lastCustomer = next.value.customerKey;
          part.usage.push(...next.value.usage);
          part.invoices.push(...next.value.invoices);
          for (const stream of next.value.shared) part.shared.add(stream);
          yield* eventLines(next.value.streams, upTo, part.events);
        }
      };
      yield* files.lines(nameInPart('events', number), ofCustomers());
      yield* this.filesAfterEvents(request, files, { number, part, batches, proven });
      parts.push({
        number,
        lastCustomer,
        files: files.summaries,
        shared: [...part.shared],
        entries: archive.entries.slice(before),
        invoices: part.invoices.map((invoice) => invoice.number),
        batches: batches.toText(),
      });
      await request.partEnded?.(parts.at(-1)!);
    }
    const files = new FileWriter(archive);
    yield* this.sharedFiles(request, files, parts, batches, upTo, proven);
    const summaries = Object.assign({}, ...parts.map((part) => part.files), files.summaries);
    const numbers = parts.flatMap((part) => part.invoices);
    yield* files.bytes(
      'manifest.json',
      Readable.from([manifestOf(org, numbers, summaries, withPersonalData)]),
    );
    yield* archive.end();
  }

  /** Writes the files of a part that follow its events: usage, invoices, proofs, personal data and PDFs. */
  private async *filesAfterEvents(
    { org, pdfOf, withPersonalData }: EvidenceRequest,
    files: FileWriter,
    { number, part, batches, proven }: PartToWrite,
  ): AsyncGenerator<Uint8Array, void> {
    yield* files.lines(nameInPart('usage', number), this.usageLines(org, part.usage, batches));
    yield* files.lines(nameInPart('invoices', number), part.invoices.map(invoiceLine));
    if (proven) {
      yield* files.lines(nameInPart('proofs', number), this.proofs.lines(org, proven, part.events));
    }
    if (withPersonalData) {
      yield* files.lines(nameInPart('personal-data', number), this.personalData.of(org, part.invoices));
    }
    if (!pdfOf) return;
    for (const { number: name, computed } of part.invoices) {
      const pdf = Buffer.from(await pdfOf(computed.invoiceId));
      yield* files.bytes(`pdfs/${name}.pdf`, Readable.from([pdf]));
    }
  }

  /** Writes the evidence that several customers share. */
  private async *sharedFiles(
    { org, since }: EvidenceRequest,
    files: FileWriter,
    parts: readonly WrittenPart[],
    batches: BatchSet,
    upTo: Position,
    proven: ProvenBy | undefined,
  ): AsyncGenerator<Uint8Array> {
    const settings = streamName('organization', org, SETTINGS);
    const streams = new Set([settings, ...parts.flatMap((part) => part.shared)]);
    const events: BundledEvent[] = [];
    const eventLines = this.eventLines([...streams].sort(), upTo, events);
    yield* files.lines(nameInPart('events', SHARED_PART), eventLines);
    yield* files.lines('batches.jsonl', this.batchLines(org, batches));
    if (!proven) return;
    yield* files.lines('checkpoint.jsonl', [{ note: proven.note }]);
    yield* files.lines('consistency.jsonl', this.proofs.continued(org, proven, since));
    const proofLines = this.proofs.lines(org, proven, events, batches.pages());
    yield* files.lines(nameInPart('proofs', SHARED_PART), proofLines);
  }

  /** @param written receives each event */
  private async *eventLines(
    streams: readonly string[],
    upTo: Position,
    written: BundledEvent[],
  ): AsyncGenerator<object> {
    for (const name of streams) {
      for await (const event of this.store.readStream(name)) {
        const { data, id, metadata, position, revision, stream, type } = event;
        if (comparePositions(position, upTo) > 0) break;
        written.push({ stream, revision, position });
        yield { data, id, metadata, revision: Number(revision), stream, type };
      }
    }
  }

  private async *usageLines(
    org: Uuid,
    spans: readonly UsageSpan[],
    batches: BatchSet,
  ): AsyncGenerator<object> {
    for (const span of spans) {
      for await (const row of this.usage.rowsOf(org, span, (batch) => batches.add(batch))) {
        yield { ...row, properties: JSON.parse(row.properties) as object };
      }
    }
  }

  private async *batchLines(org: Uuid, batches: BatchSet): AsyncGenerator<object> {
    for (const numbers of batches.pages()) yield* this.usage.batchesOf(org, numbers);
  }
}

/** @throws DomainError */
function requireReached(since: number | undefined, size: number): void {
  if (since === undefined || since <= size) return;
  const detail = `The newest checkpoint has ${size} leaves. Give at most this size.`;
  throw invalidFields({ code: 'max_value', detail, attr: 'since' });
}

/** Selects customer by customer; a customer of whom nothing is left is passed over. */
async function* customersOf(
  invoices: AsyncIterable<IssuedInvoice>,
  select: (issued: readonly IssuedInvoice[]) => Promise<CustomerSelection>,
): AsyncGenerator<CustomerSelection> {
  let issued: IssuedInvoice[] = [];
  const selected = async function* () {
    const selection = await select(issued);
    if (selection.invoices.length > 0) yield selection;
    issued = [];
  };
  for await (const invoice of invoices) {
    if (issued[0] && issued[0].customer_key !== invoice.customer_key) yield* selected();
    issued.push(invoice);
  }
  if (issued.length > 0) yield* selected();
}
