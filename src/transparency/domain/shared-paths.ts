import { isEqual } from './bytes.js';
import { isHash, type MerkleHashes, type LeafRange } from './merkle.js';

/** Returns the level of a node. At the right edge of a tree a node may have fewer leaves than its level has room for. */
function levelOf({ begin, end }: LeafRange): number {
  const leaves = end - begin;
  return leaves <= 2 ** 31 ? 32 - Math.clz32(leaves - 1) : Math.ceil(Math.log2(leaves));
}

/** Key of a node: nodes that begin at the same leaf have different heights. */
const keyOf = (node: LeafRange): number => node.begin * 64 + levelOf(node);

/** Returns the sibling of a node of a tree (RFC 6962, PATH); undefined for the root. */
function siblingOf(node: LeafRange, size: number): LeafRange | undefined {
  const { begin, end } = node;
  for (let width = 2 ** levelOf(node); width < size; width *= 2) {
    if ((begin / width) % 2 === 1) return { begin: begin - width, end: begin };
    // A node without a sibling on its level is a node of the next level too.
    if (begin + width < size) return { begin: end, end: Math.min(end + width, size) };
  }
  return undefined;
}

const leafAt = (index: number): LeafRange => ({ begin: index, end: index + 1 });

const parentOf = (node: LeafRange, sibling: LeafRange): LeafRange => ({
  begin: Math.min(node.begin, sibling.begin),
  end: Math.max(node.end, sibling.end),
});

/**
 * Shortens the inclusion proofs of several leaves of one tree: each ends below the first node that is known
 * from an earlier one, as a node on its path or a hash in it. The root is known from the start.
 */
export class SharedPaths {
  readonly #known = new Set<number>();

  constructor(private readonly size: number) {
    this.#known.add(keyOf({ begin: 0, end: size }));
  }

  /** Returns the ranges whose hashes prove a leaf beside the earlier ones, the leaf's sibling first. */
  rangesOf(leaf: number): LeafRange[] {
    const ranges: LeafRange[] = [];
    let node = leafAt(leaf);
    while (!this.#known.has(keyOf(node))) {
      const sibling = siblingOf(node, this.size)!;
      this.#known.add(keyOf(node)).add(keyOf(sibling));
      ranges.push(sibling);
      node = parentOf(node, sibling);
    }
    return ranges;
  }
}

/** Checks proofs that `SharedPaths` has shortened, in their order. */
export class SharedPathChecker {
  readonly #known = new Map<number, Uint8Array>();
  /** The known node at which the last path that failed has another hash; undefined where its form is wrong. */
  mismatch: (LeafRange & { readonly expected: Uint8Array; readonly computed: Uint8Array }) | undefined;

  constructor(
    private readonly hashes: MerkleHashes,
    private readonly size: number,
    root: Uint8Array,
  ) {
    this.#known.set(keyOf({ begin: 0, end: size }), root);
  }

  /** Tells whether a path proves a leaf, without superfluous hashes. */
  proves(leaf: number, leafHash: Uint8Array, path: readonly Uint8Array[]): boolean {
    this.mismatch = undefined;
    if (!Number.isSafeInteger(leaf) || leaf < 0 || leaf >= this.size || !path.every(isHash)) return false;
    const found: [number, Uint8Array][] = [];
    let [node, hash] = [leafAt(leaf), leafHash];
    for (let at = 0; ; at++) {
      const known = this.#known.get(keyOf(node));
      if (known) {
        if (at !== path.length) return false;
        if (!isEqual(known, hash)) {
          this.mismatch = { ...node, expected: known, computed: hash };
          return false;
        }
        for (const [key, value] of found) this.#known.set(key, value);
        return true;
      }
      const [sibling, given] = [siblingOf(node, this.size), path[at]];
      if (!sibling || !given) return false;
      found.push([keyOf(node), hash], [keyOf(sibling), given]);
      hash =
        sibling.begin < node.begin ? this.hashes.children(given, hash) : this.hashes.children(hash, given);
      node = parentOf(node, sibling);
    }
  }
}
