import { toHex } from '../src/transparency/domain/bytes.js';
import { parseCheckpoint, parseHash, type Checkpoint } from '../src/transparency/domain/checkpoint.js';
import { parseNote, signaturesBy, type VerifyEd25519 } from '../src/transparency/domain/note.js';
import { isConsistent } from '../src/transparency/domain/verify-proof.js';
import type { BundledTree } from './bundle.js';
import { HASHES, logKey } from './check-proofs.js';
import { withMembers } from './json-members.js';
import { RefusedBundle } from './refused-bundle.js';

/** A checkpoint that an auditor has kept, and what shows that a later tree continues it. */
export interface Kept {
  /** The signed note. */
  readonly note: string;
  /** An answer of `GET /api/audit/consistency/`, for a checkpoint that the bundle has no proof for. */
  readonly consistency: string | undefined;
}

/** Either the kept checkpoint, which the tree continues, or a sentence about the proof that is missing. */
type Continued = { readonly before: Checkpoint } | { readonly notProven: string };

/**
 * Checks that the tree of a bundle continues that of a kept checkpoint.
 * @throws RefusedBundle when it does not
 */
export function checkContinues(
  tree: BundledTree | undefined,
  { note, consistency }: Kept,
  verifierKey: string | undefined,
  verifyEd25519: VerifyEd25519,
): Continued {
  const parsed = parseNote(note);
  const before = parseCheckpoint(parsed.text);
  if (!tree) {
    throw new RefusedBundle(
      'checkpoint.jsonl: the bundle has no checkpoint to be compared with the kept one',
    );
  }
  const key = verifierKey === undefined ? undefined : logKey(verifierKey);
  if (key && signaturesBy(parsed, [key], verifyEd25519).length === 0) {
    throw new RefusedBundle(
      `the kept checkpoint has no signature of the key ${key.name} with the id ${key.id}`,
    );
  }
  const after = parseCheckpoint(parseNote(tree.note).text);
  const [older, newer] = [`the kept checkpoint of ${before.size} leaves`, `the tree of ${after.size} leaves`];
  if (before.origin !== after.origin) {
    throw new RefusedBundle(
      `checkpoint: its origin is ${after.origin}, that of the kept one ${before.origin}`,
    );
  }
  if (before.size > after.size) {
    throw new RefusedBundle(`checkpoint: ${newer} is smaller than ${older}; ask for a newer bundle`);
  }
  if (before.size === 0) return { before };
  const sizes = { from: before.size, to: after.size };
  const hashes = sizes.from === sizes.to ? [] : (tree.continued.get(sizes.from) ?? given(consistency, sizes));
  if (typeof hashes === 'string') return { notProven: hashes };
  const proof = hashes.map((hash) => parseHash(hash) ?? new Uint8Array());
  if (!isConsistent(HASHES, { ...sizes, fromRoot: before.root, toRoot: after.root, proof })) {
    throw new RefusedBundle(
      `checkpoint: ${newer} with the root ${toHex(after.root)} does not continue ${older} with the root ${toHex(before.root)}`,
    );
  }
  return { before };
}

interface Sizes {
  readonly from: number;
  readonly to: number;
}

/** Takes the hashes of a proof that the auditor has beside the bundle. @returns a sentence where it is missing or another */
function given(consistency: string | undefined, { from, to }: Sizes): readonly string[] | string {
  if (consistency === undefined) {
    return (
      `the bundle has no proof that its tree of ${to} leaves continues your checkpoint of ${from} leaves: ` +
      `export it again with --since ${from}, or give the answer of GET /api/audit/consistency/?from=${from}&to=${to} with --consistency`
    );
  }
  const proof = answerOf(consistency);
  if (proof.from === from && proof.to === to) return proof.hashes;
  return `the consistency proof is from ${proof.from} to ${proof.to} leaves, that from ${from} to ${to} leaves is needed`;
}

/** @throws Error for a text that is no answer of the operation */
function answerOf(text: string): Sizes & { readonly hashes: readonly string[] } {
  try {
    const kinds = { from: 'integer', to: 'integer', hashes: 'list' } as const;
    const answer = withMembers<Sizes & { hashes: readonly string[] }>(JSON.parse(text), '', kinds);
    if (answer.hashes.every((hash) => typeof hash === 'string')) return answer;
  } catch {
    // A text of any other form is told in one sentence.
  }
  throw new Error(
    'the consistency proof is no answer of GET /api/audit/consistency/: give it as it was answered',
  );
}
