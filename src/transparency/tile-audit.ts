import type { Pool } from 'pg';
import type { Uuid } from '../kernel/ids.js';
import { HASH_BYTES, type Node } from './domain/merkle.js';
import { slotOf, TILE_WIDTH, tileKey, type TileAddress } from './domain/tiles.js';

/** Beginning of a tile as log and usage give it. */
interface ExpectedTile extends TileAddress {
  readonly hashes: Uint8Array[];
  /** Names of the leaves; empty above them. */
  readonly leaves: string[];
}

/**
 * Compares the stored tiles of an organization with a tree that grows from log and usage. It holds the tiles that are
 * not full: one for each level.
 */
export class TileAudit {
  readonly #growing = new Map<string, ExpectedTile>();
  readonly #full: ExpectedTile[] = [];
  #fault: string | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly org: Uuid,
  ) {}

  /** @param leaf name of a leaf; undefined for a subtree */
  add(node: Node, hash: Uint8Array, leaf?: string): void {
    const slot = slotOf(node);
    if (!slot) return;
    const key = tileKey(slot);
    const tile = this.#growing.get(key) ?? { ...slot, hashes: [], leaves: [] };
    tile.hashes.push(hash);
    if (leaf !== undefined) tile.leaves.push(leaf);
    this.#growing.set(key, tile);
    if (tile.hashes.length < TILE_WIDTH) return;
    this.#growing.delete(key);
    this.#full.push(tile);
  }

  /** Compares the tiles that are full. */
  async compareFull(): Promise<void> {
    for (const tile of this.#full.splice(0)) await this.compare(tile);
  }

  /** Compares the other tiles and returns a sentence about the first that differs. */
  async fault(): Promise<string | undefined> {
    for (const tile of this.#growing.values()) await this.compare(tile);
    return this.#fault;
  }

  /** A stored tile may have more hashes: the tree goes on behind the newest checkpoint. */
  private async compare({ level, index, hashes, leaves }: ExpectedTile): Promise<void> {
    if (this.#fault !== undefined) return;
    const { rows } = await this.pool.query<{ is_equal: boolean }>({
      name: 'transparency-tile-compare',
      text: `select substr(hashes, 1, $4) = $5 and coalesce(leaves[1:$6], '{}') = $7 as is_equal
        from transparency_tiles where org = $1 and level = $2 and index = $3`,
      values: [
        this.org,
        level,
        index,
        hashes.length * HASH_BYTES,
        Buffer.concat(hashes),
        leaves.length,
        leaves,
      ],
    });
    if (rows[0]?.is_equal) return;
    this.#fault = `organization ${this.org}: tile ${level}/${index} of the tree is not what log and usage give, so its proofs are refused; build the trees anew (docs/operating.md#checkpoints)`;
  }
}
