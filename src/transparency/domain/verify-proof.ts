import { isEqual } from './bytes.js';
import { consistencyRanges, isHash, type MerkleHashes } from './merkle.js';

const isEven = (number: number): boolean => number % 2 === 0;
const half = (number: number): number => Math.floor(number / 2);
const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 0;

interface Inclusion {
  readonly leaf: number;
  readonly size: number;
  readonly leafHash: Uint8Array;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** Returns whether a proof binds a leaf to a root (RFC 9162). */
export function isIncluded(hashes: MerkleHashes, { leaf, size, leafHash, root, proof }: Inclusion): boolean {
  if (!isCount(leaf) || !isCount(size) || leaf >= size || ![leafHash, ...proof].every(isHash)) return false;
  let [at, last, hash] = [leaf, size - 1, leafHash];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (!isEven(at) || at === last) {
      hash = hashes.children(sibling, hash);
      while (isEven(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      hash = hashes.children(hash, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isEqual(hash, root);
}

interface Consistency {
  readonly from: number;
  readonly to: number;
  readonly fromRoot: Uint8Array;
  readonly toRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/**
 * Tells whether a proof shows that a tree continues a smaller one that is not empty (RFC 9162). Every tree
 * continues the empty one, which needs no proof.
 */
export function isConsistent(
  hashes: MerkleHashes,
  { from, to, fromRoot, toRoot, proof }: Consistency,
): boolean {
  if (!isCount(from) || !isCount(to) || from === 0 || from > to || !proof.every(isHash)) return false;
  if (from === to) return proof.length === 0 && isEqual(fromRoot, toRoot);
  const roots = rootsOf(hashes, { from, to, fromRoot, proof });
  return roots !== undefined && isEqual(roots.older, fromRoot) && isEqual(roots.newer, toRoot);
}

/**
 * Tells whether a consistency proof leads to the root of the later tree, whatever the root of the earlier one
 * is.
 */
export function leadsToRoot(
  hashes: MerkleHashes,
  { from, to, toRoot, proof }: Omit<Consistency, 'fromRoot'>,
): boolean {
  if (!isCount(from) || !isCount(to) || from === 0 || from >= to || !proof.every(isHash)) return false;
  if (proof.length !== consistencyRanges(from, to).length) return false;
  // The proof of a complete tree begins with its root, which only its checkpoint has.
  if (Number.isInteger(Math.log2(from))) return true;
  const roots = rootsOf(hashes, { from, to, fromRoot: hashes.empty, proof });
  return roots !== undefined && isEqual(roots.newer, toRoot);
}

/** Returns the roots of both trees by the proof; undefined when it has too many or too few hashes. */
function rootsOf(
  hashes: MerkleHashes,
  { from, to, fromRoot, proof }: Omit<Consistency, 'toRoot'>,
): { readonly older: Uint8Array; readonly newer: Uint8Array } | undefined {
  if (proof.length === 0) return undefined;
  let [at, last] = [from - 1, to - 1];
  while (!isEven(at)) [at, last] = [half(at), half(last)];
  // A complete smaller tree is its own first node.
  const path = at === 0 ? [fromRoot, ...proof] : proof;
  let [older, newer] = [path[0]!, path[0]!];
  for (const node of path.slice(1)) {
    if (last === 0) return undefined;
    if (!isEven(at) || at === last) {
      older = hashes.children(node, older);
      newer = hashes.children(node, newer);
      while (isEven(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      newer = hashes.children(newer, node);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? { older, newer } : undefined;
}
