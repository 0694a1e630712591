import type { PoolClient } from 'pg';
import type { Position, RecordedEvent } from '../kernel/event.js';
import type { Uuid } from '../kernel/ids.js';
import { batchLeaf, eventLeaf, leafHash, type BatchLeaf } from './domain/leaves.js';
import { GrowingTree, type Node } from './domain/merkle.js';
import { slotOf, tileKey, type TileAddress } from './domain/tiles.js';
import { HASHES, hashesIn } from './sha256.js';
import { batchesUpTo } from './usage-batch-leaves.js';

interface TreeRow {
  readonly org: Uuid;
  readonly size: string;
  readonly batches: string;
  readonly frontier: Buffer;
  readonly last_index: string | null;
  readonly last_stream: string | null;
  readonly last_revision: string | null;
}

/** Batches that a tree that is built anew takes in at a leaf. */
interface RecordedRun {
  readonly leaf: number;
  readonly last: number;
}

interface Tree {
  readonly growing: GrowingTree;
  batches: number;
  last: { readonly index: number; readonly stream: string; readonly revision: bigint } | undefined;
  /** In the order of their leaves. */
  readonly recorded: RecordedRun[];
}

interface NewTile extends TileAddress {
  readonly org: Uuid;
  readonly hashes: Uint8Array[];
  readonly leaves: string[] | undefined;
  readonly begunAt: Position;
}

/**
 * Appends leaves to trees in one transaction. It holds what is new since the transaction began and the frontier of each
 * tree, so that its memory does not depend on how large the trees are.
 */
export class TreeWriter {
  readonly #trees = new Map<Uuid, Tree>();
  readonly #tiles = new Map<string, NewTile>();

  constructor(private readonly client: PoolClient) {}

  /** Appends an event, and batches that are recorded to follow it. */
  async appendEvent(org: Uuid, event: RecordedEvent): Promise<void> {
    const tree = await this.treeOf(org);
    await this.appendRecorded(org, tree, event.position);
    const index = tree.growing.size;
    const text = eventLeaf(event, index);
    this.append(org, tree, text, { name: leafName(event.stream, event.revision), at: event.position });
    tree.last = { index, stream: event.stream, revision: event.revision };
    await this.appendRecorded(org, tree, event.position);
  }

  /** Appends the batches that are recorded to stand where the tree ends. */
  async takeInRecorded(org: Uuid, at: Position): Promise<void> {
    await this.appendRecorded(org, await this.treeOf(org), at);
  }

  /** Appends the sealed batches up to a number, at most some thousand rows. @returns the number of the last one */
  async appendBatches(org: Uuid, upTo: number, at: Position): Promise<number> {
    const tree = await this.treeOf(org);
    const leaf = tree.growing.size;
    const first = tree.batches + 1;
    await this.appendRun(org, tree, upTo, at);
    if (tree.batches >= first) {
      await this.client.query(
        'insert into transparency_batches (org, leaf, first_number, last_number) values ($1, $2, $3, $4)',
        [org, leaf, first, tree.batches],
      );
    }
    return tree.batches;
  }

  /** Writes what was appended. */
  async flush(): Promise<void> {
    const tiles = [...this.#tiles.values()];
    if (tiles.length > 0) {
      await this.client.query({
        name: 'transparency-tiles',
        text: WRITE_TILES,
        values: [JSON.stringify(tiles.map(rowOf))],
      });
    }
    const trees = [...this.#trees].map(([org, { growing, batches, last }]) => ({
      org,
      size: growing.size,
      batches,
      frontier: Buffer.concat(growing.frontier()).toString('hex'),
      last_index: last?.index ?? null,
      last_stream: last?.stream ?? null,
      last_revision: last?.revision.toString() ?? null,
    }));
    if (trees.length > 0) {
      await this.client.query({
        name: 'transparency-trees',
        text: WRITE_TREES,
        values: [JSON.stringify(trees)],
      });
    }
  }

  private async appendRecorded(org: Uuid, tree: Tree, at: Position): Promise<void> {
    while (tree.recorded[0]?.leaf === tree.growing.size) {
      const { last } = tree.recorded.shift()!;
      for (let before = -1; tree.batches < last && tree.batches !== before;) {
        before = tree.batches;
        await this.appendRun(org, tree, last, at);
      }
    }
  }

  private async appendRun(org: Uuid, tree: Tree, upTo: number, at: Position): Promise<void> {
    for (const batch of await batchesUpTo(this.client, org, tree.batches, upTo)) {
      this.appendBatch(org, tree, batch, at);
    }
  }

  private appendBatch(org: Uuid, tree: Tree, batch: BatchLeaf, at: Position): void {
    this.append(org, tree, batchLeaf(batch, tree.growing.size), { name: `#${batch.number}`, at });
    tree.batches = batch.number;
  }

  private append(org: Uuid, tree: Tree, text: string, leaf: { name: string; at: Position }): void {
    const hash = leafHash(HASHES, text);
    const index = tree.growing.size;
    this.keep(org, { level: 0, index }, hash, leaf);
    tree.growing.append(hash, (node, subtree) => this.keep(org, node, subtree, leaf));
  }

  private keep(org: Uuid, node: Node, hash: Uint8Array, leaf: { name: string; at: Position }): void {
    const slot = slotOf(node);
    if (!slot) return;
    const key = `${org} ${tileKey(slot)}`;
    let tile = this.#tiles.get(key);
    if (!tile) {
      const { level, index } = slot;
      tile = { org, level, index, hashes: [], leaves: level === 0 ? [] : undefined, begunAt: leaf.at };
      this.#tiles.set(key, tile);
    }
    tile.hashes.push(hash);
    tile.leaves?.push(leaf.name);
  }

  private async treeOf(org: Uuid): Promise<Tree> {
    const known = this.#trees.get(org);
    if (known) return known;
    const { rows } = await this.client.query<TreeRow>({
      name: 'transparency-tree',
      text: 'select * from transparency_trees where org = $1',
      values: [org],
    });
    const [row] = rows;
    const size = Number(row?.size ?? 0);
    const { rows: recorded } = await this.client.query<{ leaf: string; last_number: string }>({
      name: 'transparency-recorded',
      text: 'select leaf, last_number from transparency_batches where org = $1 and leaf >= $2 order by leaf',
      values: [org, size],
    });
    const tree: Tree = {
      growing: new GrowingTree(HASHES, size, row ? hashesIn(row.frontier) : []),
      batches: Number(row?.batches ?? 0),
      last:
        !row || row.last_stream === null
          ? undefined
          : { index: Number(row.last_index), stream: row.last_stream, revision: BigInt(row.last_revision!) },
      recorded: recorded.map(({ leaf, last_number: last }) => ({ leaf: Number(leaf), last: Number(last) })),
    };
    this.#trees.set(org, tree);
    return tree;
  }
}

/** Names an event among the leaves of a tile. */
export const leafName = (stream: string, revision: bigint): string => `${stream}@${revision}`;

const rowOf = ({ org, level, index, hashes, leaves, begunAt }: NewTile) => ({
  org,
  level,
  index,
  hashes: Buffer.concat(hashes).toString('hex'),
  first_commit: leaves ? begunAt.commit.toString() : null,
  first_prepare: leaves ? begunAt.prepare.toString() : null,
  leaves: leaves ?? null,
});

/** A tile that is there gets the new hashes behind those that it has. */
const WRITE_TILES = `
insert into transparency_tiles as t (org, level, index, hashes, first_commit, first_prepare, leaves)
select org, level, index, decode(hashes, 'hex'), first_commit, first_prepare, leaves
from json_to_recordset($1) as new (org uuid, level smallint, index bigint, hashes text, first_commit bigint,
  first_prepare bigint, leaves text[])
on conflict (org, level, index) do update set hashes = t.hashes || excluded.hashes, leaves = t.leaves || excluded.leaves`;

const WRITE_TREES = `
insert into transparency_trees (org, size, batches, frontier, last_index, last_stream, last_revision)
select org, size, batches, decode(frontier, 'hex'), last_index, last_stream, last_revision
from json_to_recordset($1) as new (org uuid, size bigint, batches bigint, frontier text, last_index bigint,
  last_stream text, last_revision bigint)
on conflict (org) do update set size = excluded.size, batches = excluded.batches, frontier = excluded.frontier,
  last_index = excluded.last_index, last_stream = excluded.last_stream, last_revision = excluded.last_revision`;
