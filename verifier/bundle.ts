import type { RecordedEvent } from '../src/kernel/event.js';
import type { Uuid } from '../src/kernel/ids.js';
import type { BundledBatch, BundledUsage } from './read-usage.js';

/** The tree that the proofs of a bundle lead to. */
export interface BundledTree {
  /** The signed note. */
  readonly note: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** Whether a signature of the given key stands below the checkpoint; undefined without a key. */
  readonly isSigned: boolean | undefined;
  /** Consistency proofs by the size of the earlier tree, in base64. */
  readonly continued: ReadonlyMap<number, readonly string[]>;
}

/** Events and batches without a proof, because they came later. */
export interface Unproven {
  count: number;
  first: string | undefined;
}

/** A line of a file of proofs. */
export interface BundledProof {
  readonly place: string;
  readonly of: { readonly stream: string; readonly revision: number } | { readonly number: number };
  readonly index: number;
  readonly hashes: readonly string[];
}

/** A line of a file of invoices. */
export interface StatedInvoice extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly number: string;
  readonly stream: string;
  readonly revision: number;
}

/** Events by stream, lifted to the newest shapes. */
type EventsByStream = ReadonlyMap<string, readonly RecordedEvent[]>;

/** Everything that the invoices of several customers follow from. Plain data, which another thread can be given. */
export interface SharedEvidence {
  readonly org: Uuid;
  readonly events: EventsByStream;
  readonly batches: ReadonlyMap<number, BundledBatch>;
  readonly tree: BundledTree | undefined;
  /** Numbers of invoices, by id. */
  readonly assigned: ReadonlyMap<string, string>;
}

/** Everything that the invoices of one customer follow from, with what is shared. */
export interface CustomerEvidence {
  readonly org: Uuid;
  readonly eventsOf: (stream: string) => readonly RecordedEvent[];
  /** Usage by event name, in the order of time. */
  readonly usage: ReadonlyMap<string, readonly BundledUsage[]>;
  readonly invoices: readonly StatedInvoice[];
}

export type Counts = Readonly<Record<'events' | 'usage' | 'batches' | 'invoices', number>>;
