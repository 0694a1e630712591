import {
  isHash,
  foldNodes,
  HASH_BYTES,
  nodesOf,
  type MerkleHashes,
  type Node,
  type LeafRange,
} from './merkle.js';

/** A tile has 256 hashes, and so 8 levels of the tree. */
export const TILE_WIDTH = 256;
const TILE_LEVELS = 8;

/** Address of a tile (C2SP tlog-tiles). */
export interface TileAddress {
  readonly level: number;
  readonly index: number;
}

/** Returns the tile with the hashes that a node is computed from, and their position in it. */
export function tileOf({
  level,
  index,
}: Node): TileAddress & { readonly at: number; readonly width: number } {
  const tileLevel = Math.floor(level / TILE_LEVELS);
  const width = 2 ** (level % TILE_LEVELS);
  const first = index * width;
  return { level: tileLevel, index: Math.floor(first / TILE_WIDTH), at: first % TILE_WIDTH, width };
}

/**
 * Returns the slot of a stored hash: that of a leaf, or of a complete tile of the level below; undefined for
 * others.
 */
export function slotOf({ level, index }: Node): (TileAddress & { readonly at: number }) | undefined {
  if (level % TILE_LEVELS !== 0) return undefined;
  return { level: level / TILE_LEVELS, index: Math.floor(index / TILE_WIDTH), at: index % TILE_WIDTH };
}

export const tileKey = ({ level, index }: TileAddress): string => `${level}/${index}`;

/** Returns the tiles that ranges are computed from, each once. */
export function tilesOf(ranges: readonly LeafRange[]): TileAddress[] {
  const tiles = new Map<string, TileAddress>();
  for (const range of ranges) {
    for (const node of nodesOf(range)) {
      const { level, index } = tileOf(node);
      tiles.set(tileKey({ level, index }), { level, index });
    }
  }
  return [...tiles.values()];
}

/** A tile lacks hashes for the size of its tree. */
export class TileTooShort extends Error {
  override readonly name = 'TileTooShort';
}

/** Hashes a range from tiles. @throws TileTooShort */
export function hashOfRange(
  hashes: MerkleHashes,
  tiles: ReadonlyMap<string, Uint8Array>,
  range: LeafRange,
): Uint8Array {
  const nodes = nodesOf(range).map((node) => {
    const { at, width, ...address } = tileOf(node);
    const bytes = tiles.get(tileKey(address)) ?? new Uint8Array();
    const kept = Array.from({ length: width }, (_, index) =>
      bytes.subarray((at + index) * HASH_BYTES, (at + index + 1) * HASH_BYTES),
    );
    if (!kept.every(isHash)) throw new TileTooShort(`tile ${tileKey(address)} of the tree is too short`);
    return subtree(hashes, kept);
  });
  return foldNodes(hashes, nodes);
}

/** Returns the root of a power of two of hashes. */
function subtree(hashes: MerkleHashes, row: readonly Uint8Array[]): Uint8Array {
  let level = row;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let index = 0; index < level.length; index += 2) {
      above.push(hashes.children(level[index]!, level[index + 1]!));
    }
    level = above;
  }
  return level[0]!;
}
