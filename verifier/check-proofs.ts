import { hash } from 'node:crypto';
import type { RecordedEvent } from '../src/kernel/event.js';
import { parseCheckpoint, parseHash, type Checkpoint } from '../src/transparency/domain/checkpoint.js';
import { batchLeaf, batchRoot, eventLeaf, leafHash } from '../src/transparency/domain/leaves.js';
import { toHex } from '../src/transparency/domain/bytes.js';
import { HASH_BYTES, merkleHashes, type Sha256 } from '../src/transparency/domain/merkle.js';
import {
  parseNote,
  parseVerifierKey,
  signaturesBy,
  type VerifyEd25519,
} from '../src/transparency/domain/note.js';
import { isConsistent, isIncluded, leadsToRoot } from '../src/transparency/domain/verify-proof.js';
import { RefusedBundle } from './refused-bundle.js';
import type { Bundle, BundledProof, ProvenBundle } from './bundle.js';
import type { BundledBatch } from './read-usage.js';

const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');
const HASHES = merkleHashes(sha256);

/** An event or usage batch of a bundle. */
type Provable = RecordedEvent | BundledBatch;

/** Proofs of a bundle, checked one by one against its checkpoint: each leaf is computed from the event or batch itself. */
export class ProofChecker {
  readonly #head: Checkpoint;
  readonly #isSigned: boolean | undefined;
  readonly #unproven: string[] = [];
  #at = 0;

  /**
   * @param items events and batches, in the order of their proofs
   * @throws RefusedBundle for a wrong signature; MalformedText for a text that is no checkpoint or key
   */
  constructor(
    private readonly items: readonly Provable[],
    { note, organization }: { readonly note: string; readonly organization: string },
    verifierKey: string | undefined,
    verifyEd25519: VerifyEd25519,
  ) {
    const parsed = parseNote(note);
    const key = verifierKey === undefined ? undefined : parseVerifierKey(sha256, verifierKey);
    if (key && signaturesBy(parsed, [key], verifyEd25519).length === 0) {
      throw new RefusedBundle(`checkpoint: no signature of the key ${key.name} with the id ${key.id}`);
    }
    this.#head = parseCheckpoint(parsed.text);
    this.#isSigned = key && true;
    if (!this.#head.origin.endsWith(`/${organization}`)) {
      throw new RefusedBundle(`checkpoint: its origin ${this.#head.origin} is of another organization`);
    }
  }

  /** @throws RefusedBundle for a wrong proof, and for one that is not in the order of events and batches */
  add({ place, of, index, hashes }: BundledProof): void {
    const from = this.#at;
    while (this.#at < this.items.length && !isOf(this.items[this.#at]!, of)) this.#at += 1;
    const item = this.items[this.#at];
    if (!item) {
      const isHeld = this.items.some((one) => isOf(one, of));
      const fault = isHeld ? 'is not in the order of events and batches' : 'is not in the bundle';
      throw new RefusedBundle(`${place}: ${nameOf(of)} ${fault}`);
    }
    for (const before of this.items.slice(from, this.#at)) this.#unproven.push(nameOf(before));
    this.#at += 1;
    const { size, root } = this.#head;
    const proof = hashes.map((hash) => parseHash(hash) ?? new Uint8Array());
    if (
      !isIncluded(HASHES, { leaf: index, size, leafHash: leafHash(HASHES, leafOf(item, index)), root, proof })
    ) {
      throw new RefusedBundle(
        `${place}: ${nameOf(of)} is not leaf ${index} of the signed tree of ${size} leaves`,
      );
    }
  }

  /** @throws RefusedBundle */
  end(continued: Bundle['continued']): ProvenBundle {
    const { size, root } = this.#head;
    requireEarlier(continued, size, root);
    const later = this.items.slice(this.#at).map(nameOf);
    return { isSigned: this.#isSigned, size, unproven: [...this.#unproven, ...later] };
  }
}

const isOf = (item: Provable, of: BundledProof['of']): boolean =>
  'stream' in item
    ? 'stream' in of && item.stream === of.stream && Number(item.revision) === of.revision
    : 'number' in of && item.number === of.number;

const nameOf = (of: BundledProof['of'] | Provable): string =>
  'stream' in of ? `${of.stream}@${of.revision}` : `usage batch ${of.number}`;

/** Checks what can be told of the proofs for checkpoints that nobody presented. @throws RefusedBundle */
function requireEarlier(continued: Bundle['continued'], size: number, root: Uint8Array): void {
  for (const [from, hashes] of continued) {
    const proof = hashes.map((hash) => parseHash(hash) ?? new Uint8Array());
    if (from === 0 ? proof.length === 0 : leadsToRoot(HASHES, { from, to: size, toRoot: root, proof }))
      continue;
    throw new RefusedBundle(
      `consistency.jsonl: the proof for ${from} leaves does not lead to the signed tree of ${size} leaves`,
    );
  }
}

/**
 * Checks that the tree of a bundle continues that of a checkpoint which the auditor has kept.
 * @param kept the signed note
 * @throws RefusedBundle when it does not, or the bundle does not prove it
 */
export function checkContinues(
  bundle: Bundle,
  kept: string,
  verifierKey: string | undefined,
  verifyEd25519: VerifyEd25519,
): Checkpoint {
  const parsed = parseNote(kept);
  const before = parseCheckpoint(parsed.text);
  if (bundle.checkpoint === undefined) {
    throw new RefusedBundle(
      'checkpoint.jsonl: the bundle has no checkpoint to be compared with the kept one',
    );
  }
  const key = verifierKey === undefined ? undefined : parseVerifierKey(sha256, verifierKey);
  if (key && signaturesBy(parsed, [key], verifyEd25519).length === 0) {
    throw new RefusedBundle(
      `the kept checkpoint has no signature of the key ${key.name} with the id ${key.id}`,
    );
  }
  const after = parseCheckpoint(parseNote(bundle.checkpoint).text);
  const [older, newer] = [`the kept checkpoint of ${before.size} leaves`, `the tree of ${after.size} leaves`];
  if (before.origin !== after.origin) {
    throw new RefusedBundle(
      `checkpoint: its origin is ${after.origin}, that of the kept one ${before.origin}`,
    );
  }
  if (before.size > after.size) {
    throw new RefusedBundle(`checkpoint: ${newer} is smaller than ${older}; ask for a newer bundle`);
  }
  if (before.size === 0) return before;
  const hashes = before.size === after.size ? [] : bundle.continued.get(before.size);
  if (!hashes) {
    const sizes = [...bundle.continued.keys()];
    throw new RefusedBundle(
      `consistency.jsonl: it has no proof for ${older}, only for ${sizes.length} sizes from ${sizes[0] ?? '-'} to ${sizes.at(-1) ?? '-'}`,
    );
  }
  const proof = hashes.map((hash) => parseHash(hash) ?? new Uint8Array());
  const roots = { fromRoot: before.root, toRoot: after.root };
  if (!isConsistent(HASHES, { from: before.size, to: after.size, ...roots, proof })) {
    throw new RefusedBundle(
      `checkpoint: ${newer} with the root ${toHex(after.root)} does not continue ${older} with the root ${toHex(before.root)}`,
    );
  }
  return before;
}

/** The text of a leaf, from what the bundle holds. */
function leafOf(item: Provable, index: number): string {
  if ('stream' in item) return eventLeaf(item, index);
  const { number, bodyHashes, earliest, receivedAt, straggler } = item;
  const events = bodyHashes.length / HASH_BYTES;
  const rows = Array.from({ length: events }, (_, row) =>
    bodyHashes.subarray(row * HASH_BYTES, (row + 1) * HASH_BYTES),
  );
  const root = toHex(batchRoot(HASHES, rows));
  return batchLeaf({ number, events, earliest, receivedAt, straggler, root }, index);
}
