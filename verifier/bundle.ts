import type { RecordedEvent } from '../src/kernel/event.js';
import type { Uuid } from '../src/kernel/ids.js';
import type { BundledBatch, BundledUsage } from './read-usage.js';

export interface ProvenBundle {
  /** Whether a signature of the given key stands below the checkpoint; undefined without a key. */
  readonly isSigned: boolean | undefined;
  readonly size: number;
  /** Events and batches without a proof, because they came later. */
  readonly unproven: readonly string[];
}

/** A line of `proofs.jsonl`. */
export interface BundledProof {
  readonly place: string;
  readonly of: { readonly stream: string; readonly revision: number } | { readonly number: number };
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
  /** Events by stream, lifted to the newest shapes. */
  readonly events: ReadonlyMap<string, readonly RecordedEvent[]>;
  /** Usage by customer key and event name. */
  readonly usage: ReadonlyMap<string, readonly BundledUsage[]>;
  readonly batches: ReadonlyMap<number, BundledBatch>;
  readonly invoices: readonly StatedInvoice[];
  readonly counts: Readonly<Record<'events' | 'usage' | 'batches' | 'invoices', number>>;
  /** The signed note that the proofs lead to. */
  readonly checkpoint: string | undefined;
  readonly proven: ProvenBundle | undefined;
  /** Consistency proofs by the size of the earlier tree, in base64. */
  readonly continued: ReadonlyMap<number, readonly string[]>;
  /** SHA-256 of the documents, by name. */
  readonly pdfs: ReadonlyMap<string, string>;
}
