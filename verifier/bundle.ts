import type { NumberSeriesEvent } from '../src/billing/accounts/domain/events.js';
import type { RecordedEvent } from '../src/kernel/event.js';
import type { Uuid } from '../src/kernel/ids.js';
import type { BatchPage } from './batch-table.js';
import type { DisclosedData } from './check-personal-data.js';
import type { BundledUsage } from './read-usage.js';
import type { WorkLimit } from './work-limit.js';

/** Tree of the proofs of a bundle. */
export interface BundledTree {
  /** The signed note. */
  readonly note: string;
  readonly size: number;
  readonly root: Uint8Array;
  /** Tells whether a signature of the given key is below the checkpoint; undefined without a key. */
  readonly isSigned: boolean | undefined;
  /** Consistency proofs by the size of the earlier tree, in base64. */
  readonly continued: ReadonlyMap<number, readonly string[]>;
}

/** Line of a file of proofs. */
export interface BundledProof {
  readonly location: string;
  readonly of: { readonly stream: string; readonly revision: number } | { readonly number: number };
  readonly index: number;
  readonly hashes: readonly string[];
}

/** Line of a file of invoices. */
export interface StatedInvoice extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly number: string;
  readonly stream: string;
  readonly revision: number;
}

/** Events by stream, lifted to the newest shapes. */
type EventsByStream = ReadonlyMap<string, readonly RecordedEvent[]>;

/** The number of an invoice, and the result hash that its day assigned it to. */
export type Assigned = Pick<NumberSeriesEvent['data']['assignments'][number], 'number' | 'resultHash'>;

/**
 * Everything that the invoices of several customers follow from. It is plain data, so that threads can
 * exchange it.
 */
export interface SharedEvidence {
  readonly org: Uuid;
  readonly events: EventsByStream;
  readonly batches: readonly BatchPage[];
  readonly tree: BundledTree | undefined;
  /** Numbers of invoices, and the result hashes that they were assigned to, by id. */
  readonly assigned: ReadonlyMap<string, Assigned>;
}

/** Everything that the invoices of one customer follow from, with the shared evidence. */
export interface CustomerEvidence {
  readonly org: Uuid;
  readonly eventsOf: (stream: string) => readonly RecordedEvent[];
  /** Usage by event name, in the order of time. */
  readonly usage: ReadonlyMap<string, readonly BundledUsage[]>;
  readonly invoices: readonly StatedInvoice[];
  /** Disclosed personal data, by the revision of the event that sealed it; undefined where the bundle discloses none. */
  readonly disclosed: ReadonlyMap<bigint, DisclosedData> | undefined;
  readonly work: WorkLimit;
}

export type Counts = Readonly<Record<'events' | 'usage' | 'batches' | 'invoices', number>>;
