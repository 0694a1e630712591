import {
  changedPrices,
  closedPeriodsOf,
  recompute,
  accountRecordReader,
  contentHasher,
  type AccountRecord,
} from '../src/billing/rating/recompute.js';
import type { ComputedInvoice } from '../src/billing/accounts/domain/event-data.js';
import {
  differenceOf,
  precedingGaugeCounts,
  baseMismatches,
  recountsOf,
} from '../src/billing/rating/recounted-usage.js';
import { recordedRun } from '../src/billing/rating/recorded-run.js';
import type { DocumentKind } from '../src/billing/pdf/domain/kept-documents.js';
import { entityOf, streamName, type RecordedEvent } from '../src/kernel/event.js';
import { canonicalJson, isSameJson } from '../src/kernel/canonical-json.js';
import { toWireId, type Uuid } from '../src/kernel/ids.js';
import { bundledStreams, type SharedFolds } from './bundled-streams.js';
import {
  isErased,
  NO_DOCUMENTS,
  recordedDocuments,
  voidedIn,
  type BundledDocument,
  type RecordedDocuments,
} from './check-documents.js';
import { MISSING_DATA, sealedAt, type DisclosedData } from './check-personal-data.js';
import { countBundledUsage } from './count-usage.js';
import type { Assigned, CustomerEvidence, SharedEvidence, StatedInvoice } from './bundle.js';
import { withMembers, type Kind } from './json-members.js';
import { refusedAt, RefusedBundle } from './refused-bundle.js';
import { spendOnSchedule } from './schedule-work.js';

export interface VerifiedInvoice {
  readonly number: string;
  readonly currency: string;
  /** Amount to pay, in minor units. */
  readonly costDue: string;
  /** Number of decimals of that amount. */
  readonly scale: number;
  readonly lines: number;
  readonly resultHash: string;
  /** Sentences, each with both values; empty when the invoice is as issued. */
  readonly differences: readonly string[];
  /** Documents that events record. */
  readonly documents: RecordedDocuments;
  /** The document that the bundle has, where it has one. */
  readonly document?: BundledDocument;
  /** Personal data of the customer as of the invoice, where the bundle discloses it. */
  readonly personalData?: DisclosedData;
}

/** Reads the account of invoices that come in the order of their revisions, each event once. */
class AccountReader {
  readonly #events: readonly RecordedEvent[];
  readonly recordUpTo: (upTo: bigint) => AccountRecord;
  readonly #voided: ReturnType<typeof voidedIn>;
  readonly #isErased: boolean;
  /** Numbers as invoices were issued with, by id. */
  readonly issued = new Map<Uuid | undefined, string>();
  /** Places of the counts among those of the account. */
  readonly order = new Map<Uuid, number>();
  #next = 0;

  constructor(
    readonly stream: string,
    { org, eventsOf }: CustomerEvidence,
  ) {
    this.#events = eventsOf(stream);
    this.recordUpTo = accountRecordReader(this.#events);
    this.#voided = voidedIn(this.#events);
    this.#isErased = isErased(eventsOf(streamName('customer', org, entityOf(stream).split('.')[0]!)));
    for (const { type, data } of this.#events) {
      const { closeId, invoiceId, number } = data as Readonly<Record<string, Uuid | undefined>>;
      if (type === 'InvoiceIssued' && typeof number === 'string') this.issued.set(invoiceId, number);
      if (type === 'UsagePeriodClosed' && closeId !== undefined) this.order.set(closeId, this.order.size);
    }
  }

  /** Returns the kind of document that an invoice has by the newest events. */
  kindOf(invoiceId: Uuid): DocumentKind {
    return `${this.#voided.has(invoiceId) ? 'voided' : 'issued'}${this.#isErased ? '_erased' : ''}`;
  }

  /** Finds the event of a revision that is higher than those before. */
  at(revision: bigint): RecordedEvent | undefined {
    while (this.#next < this.#events.length && this.#events[this.#next]!.revision < revision) this.#next += 1;
    const event = this.#events[this.#next];
    return event?.revision === revision ? event : undefined;
  }
}

/** Is shared by all invoices that are as issued. */
const NONE: readonly string[] = [];

/** Computes invoices again, with the functions that issued them, and compares. */
export class BundleInvoiceVerifier {
  readonly #hashOf = contentHasher();
  readonly #folds: SharedFolds = new Map();

  constructor(private readonly shared: Pick<SharedEvidence, 'assigned'>) {}

  /** Verifies the invoices of a customer. */
  async *verify(evidence: CustomerEvidence): AsyncGenerator<VerifiedInvoice> {
    const streams = bundledStreams(evidence, this.#folds);
    let account: AccountReader | undefined;
    for (const stated of evidence.invoices) {
      if (account?.stream !== stated.stream) account = new AccountReader(stated.stream, evidence);
      const event = account.at(BigInt(stated.revision));
      const computed = event && computedOf(event);
      if (!computed || toWireId('invoice', computed.invoiceId) !== stated.id) {
        yield {
          number: stated.number,
          currency: '',
          costDue: '',
          scale: 0,
          lines: 0,
          resultHash: '',
          documents: NO_DOCUMENTS.issued,
          differences: [`${stated.stream} does not hold the invoice at revision ${stated.revision}`],
        };
        continue;
      }
      const location = `${event.stream}@${event.revision}`;
      const assigned = this.shared.assigned.get(computed.invoiceId);
      const record = account.recordUpTo(event.revision);
      const differences = [
        ...refusedAt(location, () => differencesOfStatement(stated, computed)),
        ...differencesOfNumber(stated, computed, assigned, account.issued.get(computed.invoiceId)),
        ...(await this.differencesOf(evidence, computed, { ...record, order: account.order }, streams)),
      ];
      yield {
        number: stated.number,
        currency: computed.currency,
        costDue: computed.costDue.amount,
        scale: computed.costDue.scale,
        lines: computed.lines.length,
        resultHash: computed.resultHash,
        differences: differences.length === 0 ? NONE : differences,
        documents: recordedDocuments(evidence, account.kindOf(computed.invoiceId), computed.invoiceId),
        ...refusedAt(location, () => disclosedTo(evidence, computed)),
      };
    }
  }

  private async differencesOf(
    evidence: CustomerEvidence,
    stored: ComputedInvoice,
    { closedPeriods: all, sales, order }: AccountRecord & Pick<AccountReader, 'order'>,
    streams: ReturnType<typeof bundledStreams>,
  ): Promise<string[]> {
    const { runId, asOf, customerKey, currency, inputs } = stored;
    const { org } = evidence;
    const differences: string[] = [];
    try {
      const run = { org, account: { customerKey, currency }, runId, asOf };
      const data = await recordedRun(streams, run, inputs);
      spendOnSchedule(data, evidence.work);
      const closes = closedPeriodsOf(stored, all);
      const { recounts, unknown } = recountsOf(org, closes, data.terms, all);
      differences.push(...unknown, ...changedPrices(data, this.#hashOf));
      for (const one of recounts) {
        const { count } = differenceOf(one, countBundledUsage(evidence, one));
        differences.push(...baseMismatches(one, all, order), ...count);
      }
      for (const one of precedingGaugeCounts(recounts, all)) {
        const { level, ...counted } = countBundledUsage(evidence, one);
        const found = {
          ...counted,
          ...(level !== undefined && { level }),
          quantity: one.closedPeriod.quantity,
        };
        differences.push(...baseMismatches(one, all, order), ...differenceOf(one, found).count);
      }
      differences.push(...recompute(stored, sales.get(stored.invoiceId), data, closes).differences);
    } catch (error) {
      if (error instanceof RefusedBundle) throw error;
      differences.push(`the invoice cannot be computed again: ${(error as Error).message}`);
    }
    return [...new Set(differences)];
  }
}

/** Finds the personal data that an invoice names. */
function disclosedTo(
  { org, eventsOf, disclosed, work }: CustomerEvidence,
  { customerKey, inputs }: ComputedInvoice,
): Pick<VerifiedInvoice, 'personalData'> {
  if (!disclosed) return {};
  const events = eventsOf(streamName('customer', org, customerKey));
  work.spend(events.length);
  const event = sealedAt(events, BigInt(inputs.customerRevision));
  const personalData = event && disclosed.get(event.revision);
  if (personalData) return { personalData };
  return event && !isErased(events) ? { personalData: MISSING_DATA } : {};
}

/** Members of an invoice's event that the report shows, or compares with the list of invoices. */
const COMPUTED: Readonly<Record<string, Kind>> = {
  invoiceId: 'string',
  currency: 'string',
  issuedAt: 'string',
  dueAt: 'any',
  lines: 'list',
  costDue: 'object',
  total: 'object',
  fingerprint: 'string',
  resultHash: 'string',
  inputs: 'object',
};

/**
 * Returns the invoice of an event; undefined for other events.
 * @throws RefusedBundle
 */
function computedOf({ type, data, stream, revision }: RecordedEvent): ComputedInvoice | undefined {
  if (type !== 'InvoiceComputed') return undefined;
  const location = `${stream}@${revision}: ${type}`;
  const computed = withMembers<ComputedInvoice>(data, location, COMPUTED);
  withMembers(computed.costDue, `${location}: costDue`, { amount: 'string', scale: 'integer' });
  return computed;
}

/** Compares the number of an invoice as stated, assigned and issued. @param issued undefined before it was issued */
function differencesOfNumber(
  { number }: StatedInvoice,
  { resultHash }: ComputedInvoice,
  assigned: Assigned | undefined,
  issued: string | undefined,
): string[] {
  if (assigned?.number !== number) return [`number stated ${number}, assigned ${assigned?.number ?? 'none'}`];
  return [
    ...(assigned.resultHash === resultHash
      ? []
      : [`result of the number: recorded with hash ${assigned.resultHash}, found ${resultHash}`]),
    ...(issued === undefined || issued === number
      ? []
      : [`number at issue: stated ${issued}, assigned ${number}`]),
  ];
}

/** Compares a stated invoice with its event. */
function differencesOfStatement(stated: StatedInvoice, computed: ComputedInvoice): string[] {
  const compared = {
    cost_due: computed.costDue,
    currency: computed.currency,
    due_at: computed.dueAt,
    fingerprint: computed.fingerprint,
    issued_at: computed.issuedAt,
    lines: computed.lines,
    result_hash: computed.resultHash,
    total: computed.total,
  };
  return Object.entries(compared).flatMap(([field, recorded]) => {
    if (isSameJson(stated[field], recorded)) return [];
    const [a, b] = [canonicalJson(stated[field] ?? null), canonicalJson(recorded)];
    return a === b ? [] : [`${field} in the list of invoices ${a}, in the event ${b}`];
  });
}
