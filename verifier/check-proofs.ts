import { hash } from 'node:crypto';
import { parseCheckpoint, parseHash, type Checkpoint } from '../src/transparency/domain/checkpoint.js';
import { batchLeaf, batchRoot, eventLeaf, leafHash } from '../src/transparency/domain/leaves.js';
import { toHex } from '../src/transparency/domain/bytes.js';
import { merkleHashes, type Sha256 } from '../src/transparency/domain/merkle.js';
import {
  parseNote,
  parseVerifierKey,
  signaturesBy,
  type VerifyEd25519,
} from '../src/transparency/domain/note.js';
import { isConsistent, isIncluded, leadsToRoot } from '../src/transparency/domain/verify-proof.js';
import { RefusedBundle } from './refused-bundle.js';
import type { Bundle } from './read-bundle.js';

const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');
const HASHES = merkleHashes(sha256);

export interface ProvenBundle {
  /** Whether a signature of the given key stands below the checkpoint; undefined without a key. */
  readonly isSigned: boolean | undefined;
  readonly size: number;
  /** Events and batches without a proof, because they came later. */
  readonly unproven: readonly string[];
}

/**
 * Checks the proofs of a bundle: each leaf is computed from the event or batch itself. Undefined without a checkpoint.
 * @throws RefusedBundle for a wrong signature or proof; MalformedText for a text that is none
 */
export function checkProofs(
  bundle: Bundle,
  verifierKey: string | undefined,
  verifyEd25519: VerifyEd25519,
): ProvenBundle | undefined {
  const { checkpoint: note, organization } = bundle;
  if (note === undefined) return undefined;
  const parsed = parseNote(note);
  const key = verifierKey === undefined ? undefined : parseVerifierKey(sha256, verifierKey);
  if (key && signaturesBy(parsed, [key], verifyEd25519).length === 0) {
    throw new RefusedBundle(`checkpoint: no signature of the key ${key.name} with the id ${key.id}`);
  }
  const { origin, size, root } = parseCheckpoint(parsed.text);
  if (!origin.endsWith(`/${organization}`)) {
    throw new RefusedBundle(`checkpoint: its origin ${origin} is of another organization`);
  }
  const names = [
    ...[...bundle.stored.values()].flat().map(({ stream, revision }) => `${stream}@${revision}`),
    ...[...bundle.batches.keys()].map((number) => `usage batch ${number}`),
  ];
  const order = new Map(names.map((one, at) => [one, at]));
  requireEarlier(bundle, size, root);
  const proven = new Set<string>();
  let last = -1;
  for (const { place, name, index, hashes } of bundle.proofs) {
    const at = order.get(name);
    if (at !== undefined && at <= last) {
      throw new RefusedBundle(`${place}: ${name} is not in the order of events and batches`);
    }
    last = at ?? last;
    const text = leafText(bundle, name, index);
    if (text === undefined) throw new RefusedBundle(`${place}: the bundle does not hold ${name}`);
    const proof = hashes.map((hash) => parseHash(hash) ?? new Uint8Array());
    if (!isIncluded(HASHES, { leaf: index, size, leafHash: leafHash(HASHES, text), root, proof })) {
      throw new RefusedBundle(`${place}: ${name} is not leaf ${index} of the signed tree of ${size} leaves`);
    }
    proven.add(name);
  }
  return { isSigned: key && true, size, unproven: names.filter((name) => !proven.has(name)) };
}

/** Checks what can be told of the proofs for checkpoints that nobody presented. @throws RefusedBundle */
function requireEarlier({ continued }: Bundle, size: number, root: Uint8Array): void {
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
function leafText({ stored, batches }: Bundle, name: string, index: number): string | undefined {
  const [, number] = /^usage batch (\d+)$/.exec(name) ?? [];
  if (number === undefined) {
    const at = name.lastIndexOf('@');
    const revision = BigInt(name.slice(at + 1));
    const event = stored.get(name.slice(0, at))?.find((one) => one.revision === revision);
    return event && eventLeaf(event, index);
  }
  const batch = batches.get(Number(number));
  if (!batch) return undefined;
  const { bodyHashes, earliest, receivedAt, straggler } = batch;
  const root = toHex(
    batchRoot(
      HASHES,
      bodyHashes.map((hash) => Buffer.from(hash, 'hex')),
    ),
  );
  return batchLeaf(
    { number: batch.number, events: bodyHashes.length, earliest, receivedAt, straggler, root },
    index,
  );
}
