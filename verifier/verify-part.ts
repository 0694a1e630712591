import { nameInPart } from '../src/audit/evidence/domain/bundle-format.js';
import { type RecordedEvent, categoryOf, entityOf, orgOfStream, streamName } from '../src/kernel/event.js';
import type { Uuid } from '../src/kernel/ids.js';
import { BatchTable } from './batch-table.js';
import type { SharedEvidence, StatedInvoice } from './bundle.js';
import { withoutGaps, type EvidenceGaps } from './evidence-gaps.js';
import { disclosedLineOf, openDisclosed, type DisclosedData } from './check-personal-data.js';
import { ProofChecker } from './check-proofs.js';
import { allIssued, issuedInvoices, type IssuedInvoices } from './left-out.js';
import type { LineCursor } from './line-cursor.js';
import { leafTextOf } from './line-texts.js';
import { lineOf, requireCanonical } from './json-members.js';
import type { Line } from './read-archive.js';
import { EventReader, eventLineOf } from './read-events.js';
import type { BundleFiles } from './read-manifest.js';
import { BundledUsageRows, usageLineOf } from './read-usage.js';
import { RefusedBundle, tooMuch } from './refused-bundle.js';
import { BundleInvoiceVerifier, type VerifiedInvoice } from './verify-bundle.js';
import { WorkLimit } from './work-limit.js';

/** Result of a part. It is plain data, so that another thread can answer with it. */
export interface VerifiedPart {
  readonly invoices: readonly VerifiedInvoice[];
  readonly counts: { readonly events: number; readonly usage: number };
  readonly gaps: EvidenceGaps;
  readonly issued: IssuedInvoices;
  /** Parts are in the order of their customers. */
  readonly first: Uuid | undefined;
  readonly last: Uuid | undefined;
}

/** Verifies the parts of a bundle customer by customer. It holds the evidence of one customer at a time. */
export class PartVerifier {
  readonly #invoices: BundleInvoiceVerifier;
  readonly #batches: BatchTable;
  /** Number of characters of the evidence of the current customer. */
  #held = 0;

  constructor(
    private readonly files: BundleFiles,
    private readonly shared: SharedEvidence,
    /** Limit of characters of the evidence of one customer, which is held at once. */
    private readonly mostOfCustomer = 512 * 1024 ** 2,
  ) {
    this.#invoices = new BundleInvoiceVerifier(shared);
    this.#batches = new BatchTable(shared.batches);
  }

  /** @throws RefusedBundle */
  async verify(part: number): Promise<VerifiedPart> {
    const { tree } = this.shared;
    const open: LineCursor[] = [];
    const cursorOf = (kind: Parameters<typeof nameInPart>[0]): LineCursor => {
      const cursor = this.files.open(nameInPart(kind, part));
      open.push(cursor);
      return cursor;
    };
    try {
      const [events, usage, stated] = [cursorOf('events'), cursorOf('usage'), cursorOf('invoices')];
      const disclosed = this.files.manifest.hasPersonalData ? cursorOf('personal-data') : undefined;
      const gaps = withoutGaps();
      const checker = tree && new ProofChecker(tree, cursorOf('proofs'), gaps.unproven);
      const invoices: VerifiedInvoice[] = [];
      const issued: IssuedInvoices[] = [];
      let [first, last]: (Uuid | undefined)[] = [];
      while (events.next ?? (await events.more())) {
        const before = events.count + usage.count + stated.count;
        const { customerKey, streams } = await this.customerOf(events, checker, gaps);
        requireAscending(nameInPart('events', part), last, customerKey);
        first ??= customerKey;
        last = customerKey;
        const rows = await this.usageOf(customerKey, usage);
        const ofCustomer = await this.statedOf(customerKey, stated);
        const eventsOf = (stream: string): readonly RecordedEvent[] =>
          streams.get(stream) ?? this.shared.events.get(stream) ?? [];
        const read = events.count + usage.count + stated.count;
        const evidence = {
          work: new WorkLimit(customerKey, read - before),
          org: this.shared.org,
          eventsOf,
          usage: rows,
          invoices: ofCustomer,
          disclosed: disclosed && (await this.disclosedOf(customerKey, disclosed, eventsOf)),
        };
        for await (const invoice of this.#invoices.verify(evidence)) invoices.push(invoice);
        issued.push(issuedInvoices(streams, ofCustomer));
      }
      await checker?.end();
      for (const cursor of [usage, stated, ...(disclosed ? [disclosed] : [])]) await requireEnd(cursor);
      return {
        invoices,
        gaps,
        issued: allIssued(issued),
        first,
        last,
        counts: { events: events.count, usage: usage.count },
      };
    } finally {
      for (const cursor of open) await cursor.close();
    }
  }

  /** Reads the streams of the next customer: accounts, the customer, terms. */
  private async customerOf(events: LineCursor, checker: ProofChecker | undefined, { missing }: EvidenceGaps) {
    const reader = new EventReader(this.shared.org, missing);
    const streams = new Map<string, RecordedEvent[]>();
    let customerKey: Uuid | undefined;
    this.#held = 0;
    for (let next = events.next; next; next = events.next ?? (await events.more())) {
      const line = eventLineOf(next);
      const key = customerOfStream(line.stream, next.location, this.shared.org);
      if (key !== undefined && customerKey !== undefined && key !== customerKey) break;
      customerKey ??= key;
      if (customerKey === undefined) {
        throw new RefusedBundle(`${next.location}: ${line.stream} comes before the streams of its customer`);
      }
      const { stored, lifted } = reader.read(line, next.location);
      this.#hold(next);
      events.pass();
      const isProven = await checker?.check(stored, (position) => leafTextOf(next.text, line, position));
      if (!isProven) requireCanonical(next);
      const known = streams.get(line.stream);
      if (known) known.push(lifted);
      else streams.set(line.stream, [lifted]);
    }
    return { customerKey: customerKey!, streams };
  }

  /** @throws RefusedBundle for a line above the limit */
  #hold({ text, location }: Line): void {
    this.#held += text.length;
    const { mostOfCustomer } = this;
    if (this.#held > mostOfCustomer) throw tooMuch(location, 'evidence of one customer', mostOfCustomer);
  }

  private async usageOf(customerKey: Uuid, lines: LineCursor): Promise<BundledUsageRows['rows']> {
    const usage = new BundledUsageRows(customerKey, this.#batches);
    for (let next = lines.next ?? (await lines.more()); next; next = lines.next ?? (await lines.more())) {
      const line = usageLineOf(next);
      if (line.customer_key !== customerKey) break;
      this.#hold(next);
      usage.add(line, next);
      lines.pass();
    }
    return usage.rows;
  }

  private async statedOf(customerKey: Uuid, lines: LineCursor): Promise<StatedInvoice[]> {
    const invoices: StatedInvoice[] = [];
    for (let next = lines.next ?? (await lines.more()); next; next = lines.next ?? (await lines.more())) {
      const invoice = invoiceOf(next);
      if (entityOf(invoice.stream).split('.')[0] !== customerKey) break;
      const before = invoices.at(-1);
      if (before && !isAfter(invoice, before)) {
        throw new RefusedBundle(
          `${next.location}: invoice ${invoice.number} is not in the order of streams and revisions`,
        );
      }
      this.#hold(next);
      invoices.push(invoice);
      lines.pass();
    }
    return invoices;
  }

  /** Opens the personal data of a customer, in the order of its events. */
  private async disclosedOf(
    customerKey: Uuid,
    lines: LineCursor,
    eventsOf: (stream: string) => readonly RecordedEvent[],
  ): Promise<Map<bigint, DisclosedData>> {
    const { org } = this.shared;
    const stream = streamName('customer', org, customerKey);
    const events = eventsOf(stream);
    const found = new Map<bigint, DisclosedData>();
    let [at, last] = [0, -1];
    for (let next = lines.next ?? (await lines.more()); next; next = lines.next ?? (await lines.more())) {
      const line = disclosedLineOf(next);
      if (line.stream !== stream) break;
      const { revision } = line;
      if (revision <= last)
        throw new RefusedBundle(`${next.location}: revision ${revision} comes after ${last}`);
      last = revision;
      while (at < events.length && events[at]!.revision < BigInt(revision)) at += 1;
      const event = events[at]?.revision === BigInt(revision) ? events[at] : undefined;
      found.set(BigInt(revision), await openDisclosed(line, next.location, event, { org, customerKey }));
      lines.pass();
    }
    return found;
  }
}

/** Returns the customer of an account or customer stream; undefined for a document or term, whose stream follows them. */
function customerOfStream(stream: string, location: string, org: Uuid): Uuid | undefined {
  if (orgOfStream(stream) !== org) {
    throw new RefusedBundle(`${location}: the event is of another organization than the bundle`);
  }
  const category = categoryOf(stream);
  if (category === 'account' || category === 'customer') return entityOf(stream).split('.')[0] as Uuid;
  if (category === 'document' || category === 'subscription') return undefined;
  throw new RefusedBundle(`${location}: ${stream} is no stream of one customer`);
}

const isAfter = (a: StatedInvoice, b: StatedInvoice): boolean =>
  a.stream === b.stream ? a.revision > b.revision : a.stream > b.stream;

const invoiceOf = (line: Line): StatedInvoice =>
  lineOf(line, {
    id: 'string',
    number: 'string',
    stream: 'string',
    revision: 'integer',
    currency: 'string',
    cost_due: 'object',
    due_at: 'any',
    fingerprint: 'string',
    issued_at: 'string',
    lines: 'list',
    result_hash: 'string',
    total: 'object',
  });

/** @throws RefusedBundle for customers that are not in the order of their keys */
function requireAscending(file: string, last: Uuid | undefined, customerKey: Uuid): void {
  if (last === undefined || last < customerKey) return;
  throw new RefusedBundle(`${file}: customer ${customerKey} comes after ${last}`);
}

/** @throws RefusedBundle for lines of a customer without events */
async function requireEnd(cursor: LineCursor): Promise<void> {
  const left = cursor.next ?? (await cursor.more());
  if (left) throw new RefusedBundle(`${left.location}: it is of no customer whose events come next`);
}
