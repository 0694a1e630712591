/** SHA-256 of bytes; a parameter, so that this folder runs wherever JavaScript does. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** Length of a hash. */
export const HASH_BYTES = 32;

export const isHash = (bytes: Uint8Array): boolean => bytes.length === HASH_BYTES;

/** Complete subtree: the 2^level leaves from index × 2^level on. */
export interface Node {
  readonly level: number;
  readonly index: number;
}

/** Leaves from `begin`, inclusive, to `end`, exclusive. */
export interface LeafRange {
  readonly begin: number;
  readonly end: number;
}

/** Hashes of RFC 6962 (docs/transparency-log.md#nodes). */
export interface MerkleHashes {
  readonly empty: Uint8Array;
  leaf(data: Uint8Array): Uint8Array;
  children(left: Uint8Array, right: Uint8Array): Uint8Array;
}

export function merkleHashes(sha256: Sha256): MerkleHashes {
  const pair = new Uint8Array(1 + 2 * HASH_BYTES);
  pair[0] = 1;
  return {
    empty: sha256(new Uint8Array()),
    leaf: (data) => {
      const bytes = new Uint8Array(1 + data.length);
      bytes.set(data, 1);
      return sha256(bytes);
    },
    children: (left, right) => {
      pair.set(left, 1);
      pair.set(right, 1 + HASH_BYTES);
      return sha256(pair);
    },
  };
}

/** Returns the largest power of two below a number of leaves. */
function split(leaves: number): number {
  let power = 1;
  while (power * 2 < leaves) power *= 2;
  return power;
}

/**
 * Returns the complete subtrees of a range, from left to right. The beginning of the range is a multiple of
 * its largest subtree.
 */
export function nodesOf({ begin, end }: LeafRange): Node[] {
  const nodes: Node[] = [];
  for (let at = begin; at < end;) {
    let [level, width] = [0, 1];
    while (at % (width * 2) === 0 && at + width * 2 <= end) {
      level += 1;
      width *= 2;
    }
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
}

/** Hashes a range from its complete subtrees, given from left to right. */
export function foldNodes(hashes: MerkleHashes, nodes: readonly Uint8Array[]): Uint8Array {
  let root = nodes.at(-1);
  for (let index = nodes.length - 2; index >= 0; index--) root = hashes.children(nodes[index]!, root!);
  return root ?? hashes.empty;
}

/** Returns the ranges whose hashes prove a leaf, the leaf's sibling first (RFC 6962, PATH). */
export function inclusionRanges(leaf: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [begin, end] = [0, size];
  while (end - begin > 1) {
    const middle = begin + split(end - begin);
    if (leaf < middle) {
      ranges.push({ begin: middle, end });
      end = middle;
    } else {
      ranges.push({ begin, end: middle });
      begin = middle;
    }
  }
  return ranges.reverse();
}

/** Returns the ranges whose hashes prove that a tree continues a smaller one (RFC 6962, PROOF). */
export function consistencyRanges(from: number, to: number): LeafRange[] {
  if (from === 0 || from === to) return [];
  const ranges: LeafRange[] = [];
  let [begin, end] = [0, to];
  while (end !== from) {
    const middle = begin + split(end - begin);
    if (from <= middle) {
      ranges.push({ begin: middle, end });
      end = middle;
    } else {
      ranges.push({ begin, end: middle });
      begin = middle;
    }
  }
  if (begin > 0) ranges.push({ begin, end });
  return ranges.reverse();
}

/** Frontier of a growing tree: at most one complete subtree per level, whatever its size. */
export class GrowingTree {
  readonly #hashes: MerkleHashes;
  readonly #nodes: Uint8Array[];
  #size: number;

  /** @param nodes of `nodesOf({ begin: 0, end: size })` */
  constructor(hashes: MerkleHashes, size = 0, nodes: readonly Uint8Array[] = []) {
    this.#hashes = hashes;
    this.#size = size;
    this.#nodes = [...nodes];
  }

  /** Returns the hashes of its complete subtrees, from left to right. */
  frontier(): readonly Uint8Array[] {
    return this.#nodes;
  }

  get size(): number {
    return this.#size;
  }

  /** @param completed receives every subtree of more than one leaf that the leaf completes */
  append(leafHash: Uint8Array, completed?: (node: Node, hash: Uint8Array) => void): void {
    let hash = leafHash;
    let index = this.#size;
    for (let level = 1; index % 2 === 1; level++) {
      hash = this.#hashes.children(this.#nodes.pop()!, hash);
      index = (index - 1) / 2;
      completed?.({ level, index }, hash);
    }
    this.#nodes.push(hash);
    this.#size += 1;
  }

  root(): Uint8Array {
    return foldNodes(this.#hashes, this.#nodes);
  }
}

/** Returns the root of a list of leaf hashes. */
export function rootOf(hashes: MerkleHashes, leafHashes: Iterable<Uint8Array>): Uint8Array {
  const tree = new GrowingTree(hashes);
  for (const hash of leafHashes) tree.append(hash);
  return tree.root();
}
