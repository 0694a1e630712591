import { canonicalJson } from '../../kernel/canonical-json.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Instant } from '../../kernel/instant.js';
import { utf8 } from './bytes.js';
import { rootOf, type MerkleHashes } from './merkle.js';

/** Version of the bytes of leaves (docs/transparency-log.md#leaves). */
export const LEAF_VERSION = 1;

/** Sealed usage batch, as in its leaf. */
export interface BatchLeaf {
  /** Number of the batch in the organization, given by sealing: 1, 2, 3 … */
  readonly number: number;
  readonly events: number;
  /** Time of its earliest event. */
  readonly earliest: Instant;
  readonly receivedAt: Instant;
  readonly straggler: boolean;
  /** Root over its rows, as 64 hexadecimal digits. */
  readonly root: string;
}

/**
 * Returns the text of an event's leaf: the event as stored, sealed personal data included.
 * @param position index of the leaf in the organization's tree
 */
export function eventLeaf(event: Omit<RecordedEvent, 'position'>, position: number): string {
  const { id, stream, revision, type, data, metadata } = event;
  // The keys are sorted, which `canonicalJson` writes fastest.
  return canonicalJson({
    data,
    id,
    kind: 'event',
    metadata,
    position,
    revision: Number(revision),
    stream,
    type,
    v: LEAF_VERSION,
  });
}

/** Returns the text of the leaf of a usage batch. */
export function batchLeaf(batch: BatchLeaf, position: number): string {
  const { number, events, earliest, receivedAt, straggler, root } = batch;
  return canonicalJson({
    earliest,
    events,
    kind: 'usage_batch',
    number,
    position,
    receivedAt,
    root,
    straggler,
    v: LEAF_VERSION,
  });
}

export const leafHash = (hashes: MerkleHashes, text: string): Uint8Array => hashes.leaf(utf8(text));

/**
 * Root over the rows of a usage batch: a leaf per row, in the order of the ids' bytes, whose data is the
 * row's body hash (docs/transparency-log.md#usage-rows).
 */
export const batchRoot = (hashes: MerkleHashes, bodyHashes: readonly Uint8Array[]): Uint8Array =>
  rootOf(
    hashes,
    bodyHashes.map((hash) => hashes.leaf(hash)),
  );
