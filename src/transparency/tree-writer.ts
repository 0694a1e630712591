import type { PoolClient } from 'pg';
import type { Position, RecordedEvent } from '../kernel/event.js';
import type { Uuid } from '../kernel/ids.js';
import { batchLeaf, eventLeaf, leafHash, type BatchLeaf } from './domain/leaves.js';
import { GrowingTree, type Node } from './domain/merkle.js';
import { slotOf, tileKey, type TileAddress } from './domain/tiles.js';
import { MERKLE_HASHES, hashesIn } from './sha256.js';
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

/** Number of recorded runs of batches read at once. */
const RUNS_AT_ONCE = 500;
/** Limit of hashes in memory before they are written. */
const MAX_HASHES = 10_000;

/** Types of the event that ends a billing run. */
const ENDS_RUN = new Set(['InvoiceIssued', 'NothingDue']);

/** Batches that a rebuilt tree appends at a leaf. */
interface RecordedRun {
  readonly leaf: number;
  readonly last: number;
}

interface Tree {
  readonly growing: GrowingTree;
  batches: number;
  last: { readonly index: number; readonly stream: string; readonly revision: bigint } | undefined;
  /** Tells whether a billing run has ended. */
  isBilled: boolean;
  /** Next recorded runs, in the order of their leaves. */
  recorded: RecordedRun[];
}

interface NewTile extends TileAddress {
  readonly org: Uuid;
  readonly hashes: Uint8Array[];
  readonly leaves: string[] | undefined;
  readonly begunAt: Position;
}

/**
 * Appends leaves to trees in one transaction. It holds some thousand new hashes and the frontier of each
 * tree, so its memory does not depend on the size of the trees or of the log.
 */
export class TreeWriter {
  readonly #trees = new Map<Uuid, Tree>();
  readonly #tiles = new Map<string, NewTile>();
  /** Number of hashes in these tiles. */
  #held = 0;

  constructor(private readonly client: PoolClient) {}

  /** Appends an event, and the batches that are recorded to follow it. */
  async appendEvent(org: Uuid, event: RecordedEvent): Promise<void> {
    const tree = await this.treeOf(org);
    await this.appendRecorded(org, tree, event.position);
    const index = tree.growing.size;
    const text = eventLeaf(event, index);
    this.append(org, tree, text, { name: leafName(event.stream, event.revision), at: event.position });
    tree.last = { index, stream: event.stream, revision: event.revision };
    tree.isBilled ||= ENDS_RUN.has(event.type);
    await this.appendRecorded(org, tree, event.position);
  }

  /** Appends the batches that are recorded to follow the last leaf of the tree. */
  async appendRecordedBatches(org: Uuid, at: Position): Promise<void> {
    await this.appendRecorded(org, await this.treeOf(org), at);
  }

  /**
   * Appends the sealed batches up to a number, at most some thousand rows.
   * @returns the number of the last one
   */
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

  /** Writes the appended leaves. */
  async flush(): Promise<void> {
    await this.flushTiles();
    const trees = [...this.#trees].map(([org, { growing, batches, last, isBilled }]) => ({
      org,
      size: growing.size,
      batches,
      frontier: Buffer.concat(growing.frontier()).toString('hex'),
      last_index: last?.index ?? null,
      last_stream: last?.stream ?? null,
      last_revision: last?.revision.toString() ?? null,
      is_billed: isBilled,
    }));
    if (trees.length > 0) {
      await this.client.query({
        name: 'transparency-trees',
        text: WRITE_TREES,
        values: [JSON.stringify(trees)],
      });
    }
  }

  private async flushTiles(): Promise<void> {
    const tiles = [...this.#tiles.values()];
    if (tiles.length === 0) return;
    await this.client.query({
      name: 'transparency-tiles',
      text: WRITE_TILES,
      values: [JSON.stringify(tiles.map(rowOf))],
    });
    this.#tiles.clear();
    this.#held = 0;
  }

  private async appendRecorded(org: Uuid, tree: Tree, at: Position): Promise<void> {
    while (tree.recorded[0]?.leaf === tree.growing.size) {
      const { leaf, last } = tree.recorded.shift()!;
      if (tree.recorded.length === 0) tree.recorded = await this.recordedFrom(org, leaf + 1);
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
    if (this.#held > MAX_HASHES) await this.flushTiles();
  }

  private appendBatch(org: Uuid, tree: Tree, batch: BatchLeaf, at: Position): void {
    this.append(org, tree, batchLeaf(batch, tree.growing.size), { name: `#${batch.number}`, at });
    tree.batches = batch.number;
  }

  private append(org: Uuid, tree: Tree, text: string, leaf: { name: string; at: Position }): void {
    const hash = leafHash(MERKLE_HASHES, text);
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
    this.#held += 1;
    tile.leaves?.push(leaf.name);
  }

  /** Reads the first recorded runs from a leaf on. */
  private async recordedFrom(org: Uuid, leaf: number): Promise<RecordedRun[]> {
    const { rows } = await this.client.query<{ leaf: string; last_number: string }>({
      name: 'transparency-recorded',
      text: `select leaf, last_number from transparency_batches where org = $1 and leaf >= $2
        order by leaf limit ${RUNS_AT_ONCE}`,
      values: [org, leaf],
    });
    return rows.map(({ leaf: first, last_number: last }) => ({ leaf: Number(first), last: Number(last) }));
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
    const tree: Tree = {
      growing: new GrowingTree(MERKLE_HASHES, size, row ? hashesIn(row.frontier) : []),
      batches: Number(row?.batches ?? 0),
      last:
        !row || row.last_stream === null
          ? undefined
          : { index: Number(row.last_index), stream: row.last_stream, revision: BigInt(row.last_revision!) },
      isBilled: false,
      recorded: await this.recordedFrom(org, size),
    };
    this.#trees.set(org, tree);
    return tree;
  }
}

/** Name of an event among the leaves of a tile. */
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

/** Adds the new hashes of an existing tile after its old ones. */
const WRITE_TILES = `
insert into transparency_tiles as t (org, level, index, hashes, first_commit, first_prepare, leaves)
select org, level, index, decode(hashes, 'hex'), first_commit, first_prepare, leaves
from json_to_recordset($1) as new (org uuid, level smallint, index bigint, hashes text, first_commit bigint,
  first_prepare bigint, leaves text[])
on conflict (org, level, index) do update set hashes = t.hashes || excluded.hashes, leaves = t.leaves || excluded.leaves`;

/** Keeps the time since which a billing run waits for its checkpoint, until one is signed. */
const WRITE_TREES = `
insert into transparency_trees as t (org, size, batches, frontier, last_index, last_stream, last_revision, billed_at)
select org, size, batches, decode(frontier, 'hex'), last_index, last_stream, last_revision,
  case when is_billed then now() end
from json_to_recordset($1) as new (org uuid, size bigint, batches bigint, frontier text, last_index bigint,
  last_stream text, last_revision bigint, is_billed boolean)
on conflict (org) do update set size = excluded.size, batches = excluded.batches, frontier = excluded.frontier,
  last_index = excluded.last_index, last_stream = excluded.last_stream, last_revision = excluded.last_revision,
  billed_at = coalesce(t.billed_at, excluded.billed_at)`;
