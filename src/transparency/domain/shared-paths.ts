import { isEqual } from './bytes.js';
import { HASH_BYTES, isHash, type MerkleHashes, type LeafRange } from './merkle.js';

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

/** Nodes that leaves in ascending order can still meet: of any number of leaves two per level of the tree. */
class NodesAhead {
  #latest = -1;
  /** The node that ends first is the last. */
  readonly #nodes: LeafRange[] = [];

  isAhead(leaf: number): boolean {
    return leaf > this.#latest;
  }

  /**
   * Passes a leaf.
   * @param path new nodes, from the leaf upwards, each followed by its sibling
   * @param forget receives nodes without a later leaf
   * @returns new nodes with later leaves
   */
  pass(leaf: number, path: readonly LeafRange[], forget: (node: LeafRange) => void): readonly LeafRange[] {
    this.#latest = leaf;
    const isPassed = ({ end }: LeafRange): boolean => end <= leaf + 1;
    while (this.#nodes.length > 0 && isPassed(this.#nodes.at(-1)!)) forget(this.#nodes.pop()!);
    const ahead = path.filter((node) => !isPassed(node)).reverse();
    this.#nodes.push(...ahead);
    return ahead;
  }
}

/**
 * Shortens the inclusion proofs of several leaves of one tree: each ends below the first node that is known
 * from an earlier one, as a node on its path or a hash in it. The root is known from the start.
 */
export class SharedPaths {
  readonly #known = new Set<number>();
  #ahead: NodesAhead | undefined;

  constructor(private readonly size: number) {
    this.#known.add(keyOf({ begin: 0, end: size }));
  }

  /** Number of nodes held. */
  get held(): number {
    return this.#known.size;
  }

  /** Takes leaves in ascending order only after this call, and forgets nodes that have no later leaf. */
  expectAscending(): void {
    this.#ahead = new NodesAhead();
  }

  /**
   * Returns the ranges whose hashes prove a leaf beside the earlier ones, the leaf's sibling first.
   * @throws RangeError for a leaf that is not ahead
   */
  rangesOf(leaf: number): LeafRange[] {
    if (this.#ahead?.isAhead(leaf) === false) throw new RangeError(`leaf ${leaf} comes after a later one`);
    const ranges: LeafRange[] = [];
    const path: LeafRange[] = [];
    let node = leafAt(leaf);
    while (!this.#known.has(keyOf(node))) {
      const sibling = siblingOf(node, this.size)!;
      path.push(node, sibling);
      ranges.push(sibling);
      node = parentOf(node, sibling);
    }
    const forget = (passed: LeafRange): boolean => this.#known.delete(keyOf(passed));
    for (const one of this.#ahead?.pass(leaf, path, forget) ?? path) this.#known.add(keyOf(one));
    return ranges;
  }
}

/** Hashes by node, side by side in one array: an array of its own takes ten times the bytes of a hash. */
class NodeHashes {
  readonly #offsets = new Map<number, number>();
  /** Offsets of deleted hashes. */
  readonly #free: number[] = [];
  #bytes = new Uint8Array(64 * HASH_BYTES);

  get size(): number {
    return this.#offsets.size;
  }

  get(node: LeafRange): Uint8Array | undefined {
    const offset = this.#offsets.get(keyOf(node));
    return offset === undefined ? undefined : this.#bytes.subarray(offset, offset + HASH_BYTES);
  }

  set(node: LeafRange, hash: Uint8Array): void {
    const key = keyOf(node);
    const offset = this.#offsets.get(key) ?? this.#free.pop() ?? this.#offsets.size * HASH_BYTES;
    if (offset === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(hash, offset);
    this.#offsets.set(key, offset);
  }

  delete(node: LeafRange): void {
    const key = keyOf(node);
    const offset = this.#offsets.get(key);
    if (offset === undefined) return;
    this.#offsets.delete(key);
    this.#free.push(offset);
  }
}

/** Checks proofs that `SharedPaths` has shortened, in their order. */
export class SharedPathChecker {
  readonly #known = new NodeHashes();
  #ahead: NodesAhead | undefined;
  /** The known node at which the last path that failed has another hash; undefined where its form is wrong. */
  mismatch: (LeafRange & { readonly expected: Uint8Array; readonly computed: Uint8Array }) | undefined;

  constructor(
    private readonly hashes: MerkleHashes,
    private readonly size: number,
    root: Uint8Array,
  ) {
    this.#known.set({ begin: 0, end: size }, root);
  }

  /** Number of hashes held. */
  get held(): number {
    return this.#known.size;
  }

  /** Proves leaves in ascending order only after this call, and forgets nodes that have no later leaf. */
  expectAscending(): void {
    this.#ahead = new NodesAhead();
  }

  /** Tells whether a path proves a leaf, without superfluous hashes. */
  proves(leaf: number, leafHash: Uint8Array, path: readonly Uint8Array[]): boolean {
    this.mismatch = undefined;
    if (!Number.isSafeInteger(leaf) || leaf < 0 || leaf >= this.size || !path.every(isHash)) return false;
    if (this.#ahead?.isAhead(leaf) === false) return false;
    const found = new Map<LeafRange, Uint8Array>();
    let [node, hash] = [leafAt(leaf), leafHash];
    for (let at = 0; ; at++) {
      const known = this.#known.get(node);
      if (known) {
        if (at !== path.length) return false;
        if (!isEqual(known, hash)) {
          this.mismatch = { ...node, expected: known.slice(), computed: hash };
          return false;
        }
        const nodes = [...found.keys()];
        const kept = this.#ahead?.pass(leaf, nodes, (passed) => this.#known.delete(passed)) ?? nodes;
        for (const one of kept) this.#known.set(one, found.get(one)!);
        return true;
      }
      const [sibling, given] = [siblingOf(node, this.size), path[at]];
      if (!sibling || !given) return false;
      found.set(node, hash).set(sibling, given);
      hash =
        sibling.begin < node.begin ? this.hashes.children(given, hash) : this.hashes.children(hash, given);
      node = parentOf(node, sibling);
    }
  }
}
