import type { DocumentKind } from '../src/billing/pdf/domain/kept-documents.js';
import { streamName, type RecordedEvent } from '../src/kernel/event.js';
import type { Uuid } from '../src/kernel/ids.js';
import type { CustomerEvidence } from './bundle.js';
import { withMembers } from './json-members.js';

/** A document as the event of its first making records it. */
interface RecordedDocument {
  readonly kind: DocumentKind;
  readonly sha256: string;
}

/** The documents of an invoice that events record, and the kind that the invoice has by its newest events. */
export interface RecordedDocuments {
  readonly kind: DocumentKind;
  readonly all: readonly RecordedDocument[];
}

/** Lists the voided invoices of an account. */
export const voidedIn = (account: readonly RecordedEvent[]): ReadonlySet<Uuid | undefined> =>
  new Set(
    account
      .filter(({ type }) => type === 'InvoiceVoided')
      .map(({ data }) => (data as { readonly invoiceId?: Uuid }).invoiceId),
  );

/** Is shared by all invoices without documents, as a report holds those of every invoice. */
export const NO_DOCUMENTS: Readonly<Record<DocumentKind, RecordedDocuments>> = {
  issued: { kind: 'issued', all: [] },
  issued_erased: { kind: 'issued_erased', all: [] },
  voided: { kind: 'voided', all: [] },
  voided_erased: { kind: 'voided_erased', all: [] },
};

/** Tells whether the events of a customer erase it. */
export const isErased = (customer: readonly RecordedEvent[]): boolean =>
  customer.some(({ type }) => type === 'CustomerErased');

/** Takes the documents of an invoice out of the streams of its customer. @throws RefusedBundle */
export function recordedDocuments(
  { org, eventsOf }: CustomerEvidence,
  kind: DocumentKind,
  invoiceId: Uuid,
): RecordedDocuments {
  const events = eventsOf(streamName('document', org, invoiceId));
  if (events.length === 0) return NO_DOCUMENTS[kind];
  return {
    kind,
    all: events.map(({ type, data, stream, revision }) =>
      withMembers<RecordedDocument>(data, `${stream}@${revision}: ${type}`, {
        kind: 'string',
        sha256: 'string',
      }),
    ),
  };
}

/** A document of a bundle, compared with the events. */
export interface BundledDocument {
  readonly sha256: string;
  readonly result: 'as recorded' | 'not proven' | 'differs';
}

/** Compares a document with the events; one that no event records is not proven. */
export function comparedDocument(sha256: string, { kind, all }: RecordedDocuments): BundledDocument {
  if (all.some((one) => one.sha256 === sha256)) return { sha256, result: 'as recorded' };
  return { sha256, result: all.some((one) => one.kind === kind) ? 'differs' : 'not proven' };
}

/** Says what a document differs from, or how to prove it. */
export function sentenceOfDocument(
  number: string,
  { sha256, result }: BundledDocument,
  { all }: RecordedDocuments,
): string {
  const subject = `pdfs/${number}.pdf`;
  if (result === 'differs') {
    return `${subject}: recorded with hash ${all.map((one) => one.sha256).join(' or ')}, found ${sha256}`;
  }
  return `${subject}: no event records a document with the SHA-256 ${sha256}: make a checkpoint and export again`;
}

/** The invoice whose document an expected PDF is. */
export interface ExpectedDocument {
  readonly invoice: string;
  readonly kind: DocumentKind;
}

/** The documents of an invoice of a bundle. */
interface InvoiceDocuments {
  readonly number: string;
  readonly documents: RecordedDocuments;
  readonly document?: BundledDocument;
}

/** Finds the event that records a PDF. @returns a sentence where there is none */
export function findExpected(
  sha256: string,
  invoices: readonly InvoiceDocuments[],
): ExpectedDocument | string {
  let recorded = 0;
  for (const { number, documents, document } of invoices) {
    const found = documents.all.find((one) => one.sha256 === sha256);
    if (found) return { invoice: number, kind: found.kind };
    if (document?.sha256 === sha256) {
      return `the PDF is pdfs/${number}.pdf of the bundle, but no event records its SHA-256 ${sha256}: it is not proven`;
    }
    recorded += documents.all.length;
  }
  return recorded === 0
    ? `the PDF has the SHA-256 ${sha256}; no event of the bundle records a document: open the PDF once, make a checkpoint and export again`
    : `the PDF has the SHA-256 ${sha256}, which none of the ${recorded} documents has that events of the bundle record`;
}
