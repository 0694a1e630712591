import { hash } from 'node:crypto';
import type { RecordedEvent } from '../src/kernel/event.js';
import { parseCheckpoint, parseHash } from '../src/transparency/domain/checkpoint.js';
import { batchLeaf, batchRoot, eventLeaf } from '../src/transparency/domain/leaves.js';
import { toHex } from '../src/transparency/domain/bytes.js';
import { HASH_BYTES, merkleHashes, type Sha256 } from '../src/transparency/domain/merkle.js';
import { SharedPathChecker } from '../src/transparency/domain/shared-paths.js';
import {
  COSIGNATURE,
  MalformedText,
  parseNote,
  parseVerifierKey,
  signaturesBy,
  type NoteKey,
  type VerifyEd25519,
} from '../src/transparency/domain/note.js';
import { leadsToRoot } from '../src/transparency/domain/verify-proof.js';
import type { BundledProof, BundledTree } from './bundle.js';
import { addGaps, type GapCount } from './evidence-gaps.js';
import type { LineCursor } from './line-cursor.js';
import { lineOf, type Kind } from './json-members.js';
import type { Line } from './read-archive.js';
import type { ProvableBatch } from './read-usage.js';
import { refusedAt, RefusedBundle } from './refused-bundle.js';

const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');
/** Hashes the text of a leaf, without a copy of its bytes. */
const hashOfLeaf = (text: string): Uint8Array => hash('sha256', `\0${text}`, 'buffer');
export const HASHES = merkleHashes(sha256);

/** Event or usage batch of a bundle. */
type Provable = RecordedEvent | ProvableBatch;

/** The key of a log. @throws MalformedText, also for that of a witness */
export function logKey(text: string): NoteKey {
  const key = parseVerifierKey(sha256, text);
  if (key.type !== COSIGNATURE) return key;
  throw new MalformedText(
    `the key ${key.name} is that of a witness: give it as such, and the key of the log`,
  );
}

/**
 * Reads the checkpoint of a bundle.
 * @throws RefusedBundle for a wrong signature; MalformedText for an invalid checkpoint or key
 */
export function readTree(
  { note, organization, continued }: { note: string; organization: string } & Pick<BundledTree, 'continued'>,
  verifierKey: string | undefined,
  verifyEd25519: VerifyEd25519,
): BundledTree {
  const parsed = parseNote(note);
  const key = verifierKey === undefined ? undefined : logKey(verifierKey);
  if (key && signaturesBy(parsed, [key], verifyEd25519).length === 0) {
    throw new RefusedBundle(`checkpoint: no signature of the key ${key.name} with the id ${key.id}`);
  }
  const { origin, size, root } = parseCheckpoint(parsed.text);
  // One key signs for every organization, and the signed text does not have the name beside a signature.
  if (key && origin !== key.name) {
    throw new RefusedBundle(`checkpoint: its origin ${origin} is not ${key.name}, which the key is for`);
  }
  if (!origin.endsWith(`/${organization}`)) {
    throw new RefusedBundle(`checkpoint: its origin ${origin} is of another organization`);
  }
  requireEarlier(continued, size, root);
  return { note, size, root, isSigned: key && true, continued };
}

/** Checks the proofs of a file, one after the other: each leaf is computed from the event or batch itself. */
export class ProofChecker {
  readonly #paths: SharedPathChecker;

  constructor(
    private readonly tree: BundledTree,
    private readonly lines: LineCursor,
    private readonly unproven: GapCount,
  ) {
    this.#paths = new SharedPathChecker(HASHES, tree.size, tree.root);
  }

  /** Expects the leaves in ascending order after this call, as those of batches are. */
  expectAscending(): void {
    this.#paths.expectAscending();
  }

  /**
   * Checks the proof of the next event or batch, if the file has one.
   * @param textAt cuts the text of the leaf from the line of an event
   * @returns whether that text is proven
   * @throws RefusedBundle
   */
  async check(item: Provable, textAt?: (position: number) => string | undefined): Promise<boolean> {
    const line = this.lines.next ?? (await this.lines.more());
    const proof = line && proofOf(line);
    if (!proof || !isOf(item, proof.of)) {
      addGaps(this.unproven, { count: 1, first: nameOf(item) });
      return false;
    }
    this.lines.pass();
    const { location, of, index, hashes } = proof;
    const path = hashes.map((hash) => parseHash(hash) ?? new Uint8Array());
    const text = textAt?.(index);
    if (text !== undefined && this.#paths.proves(index, hashOfLeaf(text), path)) return true;
    const leaf = refusedAt(`${location}: ${nameOf(of)}`, () => leafOf(item, index));
    const hash = hashOfLeaf(leaf);
    if (this.#paths.proves(index, hash, path)) return false;
    throw new RefusedBundle(
      `${location}: ${nameOf(of)} is not leaf ${index} of the signed tree of ${this.tree.size} leaves: ${this.whyNot(hash)}`,
    );
  }

  /** Says which hashes differ; a shortened path leads to a node that is known, the leaf itself or one above it. */
  private whyNot(leaf: Uint8Array): string {
    const { mismatch } = this.#paths;
    if (!mismatch) return `its hash is ${toHex(leaf)}, and the proof has not the hashes of a path`;
    const { begin, end, computed, expected } = mismatch;
    const node = end - begin === 1 ? 'the leaf' : `the node over leaves ${begin} to ${end - 1}`;
    return `its hash is ${toHex(leaf)}; of ${node} the hash computed is ${toHex(computed)}, expected ${toHex(expected)}`;
  }

  /** @throws RefusedBundle for a superfluous proof */
  async end(): Promise<void> {
    const line = this.lines.next ?? (await this.lines.more());
    if (!line) return;
    const { location, of } = proofOf(line);
    throw new RefusedBundle(
      `${location}: ${nameOf(of)} is not in the order of events and batches, or not there`,
    );
  }
}

function proofOf(proof: Line): BundledProof {
  const { value, location } = proof;
  const isBatch = typeof value === 'object' && value !== null && 'batch' in value;
  const named: Readonly<Record<string, Kind>> = isBatch
    ? { batch: 'integer' }
    : { stream: 'string', revision: 'integer' };
  const line = lineOf<Record<string, unknown> & { index: number; hashes: unknown }>(proof, {
    index: 'integer',
    hashes: 'list',
    ...named,
  });
  const of = isBatch
    ? { number: line['batch'] as number }
    : { stream: line['stream'] as string, revision: line['revision'] as number };
  return { location, of, index: line.index, hashes: textsOf(line.hashes, location) };
}

/** @throws RefusedBundle */
export function textsOf(hashes: unknown, location: string): readonly string[] {
  if (!Array.isArray(hashes) || hashes.some((hash) => typeof hash !== 'string')) {
    throw new RefusedBundle(`${location}: hashes are no texts`);
  }
  return hashes as readonly string[];
}

const isOf = (item: Provable, of: BundledProof['of']): boolean =>
  'stream' in item
    ? 'stream' in of && item.stream === of.stream && Number(item.revision) === of.revision
    : 'number' in of && item.number === of.number;

const nameOf = (of: BundledProof['of'] | Provable): string =>
  'stream' in of ? `${of.stream}@${of.revision}` : `usage batch ${of.number}`;

/**
 * Checks the proofs for checkpoints that the auditor has not presented, as far as possible.
 * @throws RefusedBundle
 */
function requireEarlier(continued: BundledTree['continued'], size: number, root: Uint8Array): void {
  for (const [from, hashes] of continued) {
    const proof = hashes.map((hash) => parseHash(hash) ?? new Uint8Array());
    if (from === 0 ? proof.length === 0 : leadsToRoot(HASHES, { from, to: size, toRoot: root, proof }))
      continue;
    throw new RefusedBundle(
      `consistency.jsonl: the proof for ${from} leaves does not lead to the signed tree of ${size} leaves`,
    );
  }
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
