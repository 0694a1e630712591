import type { Decider } from '../../../kernel/decider.js';
import type { DomainEvent, EventSentences, StreamCategory } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';

/** Names what a document shows: the invoice as issued or as voided, with the person or after the erasure without. */
export type DocumentKind = 'issued' | 'voided' | 'issued_erased' | 'voided_erased';

interface KeptDocument {
  readonly invoiceId: Uuid;
  readonly customerKey: Uuid;
  readonly kind: DocumentKind;
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly sha256: string;
}

export type DocumentEvent = DomainEvent<'InvoiceDocumentKept', KeptDocument>;

/** Sentences of the audit log, one per event type. */
export const DOCUMENT_EVENT_SENTENCES: EventSentences<DocumentEvent> = {
  InvoiceDocumentKept: 'A document of the invoice was made and kept.',
};

interface KeepDocument {
  readonly type: 'KeepDocument';
  readonly document: KeptDocument;
}

type Documents = readonly KeptDocument[];

/** The documents that were made of one invoice, stream `document-{org}.{invoiceId}`. */
export const keptDocumentsDecider: Decider<Documents, KeepDocument, DocumentEvent> & {
  readonly category: StreamCategory;
} = {
  category: 'document',
  initial: () => [],
  decide: ({ document }, documents) =>
    documents.some(({ kind, sha256 }) => kind === document.kind && sha256 === document.sha256)
      ? []
      : [{ type: 'InvoiceDocumentKept', data: document }],
  evolve: (documents, { data }) => [...documents, data],
};
