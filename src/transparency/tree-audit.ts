import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { orgOfStream } from '../kernel/event.js';
import { groupBy } from '../kernel/iteration.js';
import { Database } from '../platform/database/open-database.js';
import { STORED_EVENTS, type EventStore } from '../platform/eventsourcing/store/event-store.js';
import { TileAudit } from './tile-audit.js';
import { isEqual } from './domain/bytes.js';
import { batchLeaf, eventLeaf, leafHash } from './domain/leaves.js';
import { GrowingTree } from './domain/merkle.js';
import { MERKLE_HASHES } from './sha256.js';
import { leafName } from './tree-writer.js';
import { batchesUpTo } from './usage-batch-leaves.js';

/** Signed tree head. */
export interface SignedHead {
  readonly org: Uuid;
  /** Name of the checkpoint in sentences. */
  readonly name: string;
  readonly size: number;
  readonly root: Uint8Array;
}

/** Computes each tree again from the log and the usage, and compares it with signed heads. Writes nothing. */
@Injectable()
export class TreeAudit {
  constructor(
    private readonly database: Database,
    @Inject(STORED_EVENTS) private readonly events: EventStore,
  ) {}

  /**
   * Returns a sentence for each organization whose log or usage differs from a signed head, or whose tiles differ from
   * log and usage.
   * @param kept heads stored outside of the database; default: all heads in the database
   */
  async differences(kept?: readonly SignedHead[]): Promise<string[]> {
    const trees = await this.trees(kept ?? (await this.stored()), kept === undefined);
    const faults: string[] = [];
    for (const tree of trees.values()) await this.addBatches(tree);
    for await (const event of this.events.readAll()) {
      const tree = trees.get(orgOfStream(event.stream));
      if (!tree || tree.isComplete) continue;
      await tree.append(eventLeaf(event, tree.size), leafName(event.stream, event.revision));
      await this.addBatches(tree);
    }
    for (const tree of trees.values()) {
      const fault = tree.fault() ?? (await tree.tiles?.fault());
      if (fault !== undefined) faults.push(fault);
    }
    return [...faults, ...(await this.misplacedBatches())];
  }

  /** Returns a sentence for each organization whose runs of batches in the tree do not follow each other. */
  private async misplacedBatches(): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ org: Uuid; first: string; expected: string }>(
      `select org, first, expected from (
         select org, first_number as first, last_number as last,
           1 + coalesce(lag(last_number) over (partition by org order by leaf), 0) as expected
         from transparency_batches
         union all
         select t.org, t.batches + 1, t.batches + 1,
           1 + coalesce((select max(b.last_number) from transparency_batches b where b.org = t.org), 0)
         from transparency_trees t) runs
       where first <> expected or last < first order by org, first`,
    );
    return rows.map(
      ({ org, first, expected }) =>
        `organization ${org}: usage batch ${first} stands in the tree where batch ${expected} must follow`,
    );
  }

  private async addBatches(tree: AuditedTree): Promise<void> {
    while (tree.runs[0]?.leaf === tree.size && !tree.isComplete) {
      const { last } = tree.runs.shift()!;
      for (let before = -1; tree.batches < last && tree.batches !== before;) {
        before = tree.batches;
        for (const batch of await batchesUpTo(this.database.pool, tree.org, before, last)) {
          await tree.append(batchLeaf(batch, tree.size), `#${batch.number}`);
          tree.batches = batch.number;
        }
      }
    }
  }

  private async stored(): Promise<SignedHead[]> {
    const { rows } = await this.database.pool.query<{
      org: Uuid;
      number: string;
      size: string;
      root: Buffer;
    }>('select org, number, size, root from transparency_checkpoints order by org, number');
    return rows.map(({ org, number, size, root }) => ({
      org,
      root,
      size: Number(size),
      name: `checkpoint ${number}`,
    }));
  }

  private async trees(
    heads: readonly SignedHead[],
    withTiles: boolean,
  ): Promise<ReadonlyMap<Uuid, AuditedTree>> {
    const byOrg = groupBy(heads, ({ org }) => org);
    const tilesOf = (org: Uuid) => (withTiles ? new TileAudit(this.database.pool, org) : undefined);
    const trees = new Map([...byOrg].map(([org, ofOrg]) => [org, new AuditedTree(org, ofOrg, tilesOf(org))]));
    const { rows: runs } = await this.database.pool.query<{ org: Uuid; leaf: string; last: string }>(
      'select org, leaf, last_number as last from transparency_batches order by org, leaf',
    );
    for (const { org, leaf, last } of runs) {
      trees.get(org)?.runs.push({ leaf: Number(leaf), last: Number(last) });
    }
    return trees;
  }
}

/** Tree that grows from the log. It is compared with each signed head when it has the head's size. */
class AuditedTree {
  readonly runs: { readonly leaf: number; readonly last: number }[] = [];
  batches = 0;
  readonly #growing = new GrowingTree(MERKLE_HASHES);
  /** Heads in the order of their sizes. */
  readonly #heads: readonly SignedHead[];
  #compared = 0;

  constructor(
    readonly org: Uuid,
    heads: readonly SignedHead[],
    readonly tiles: TileAudit | undefined,
  ) {
    this.#heads = [...heads].sort((a, b) => a.size - b.size);
    this.compare();
  }

  get size(): number {
    return this.#growing.size;
  }

  /** Tells whether nothing is left to compare: all heads match, or one does not. */
  get isComplete(): boolean {
    const next = this.#heads[this.#compared];
    return !next || next.size <= this.size;
  }

  async append(text: string, name: string): Promise<void> {
    const hash = leafHash(MERKLE_HASHES, text);
    this.tiles?.add({ level: 0, index: this.size }, hash, name);
    this.#growing.append(hash, (node, subtree) => this.tiles?.add(node, subtree));
    this.compare();
    await this.tiles?.compareFull();
  }

  fault(): string | undefined {
    const wrong = this.#heads[this.#compared];
    if (!wrong) return undefined;
    const fits = this.#heads[this.#compared - 1];
    return [
      `organization ${this.org}: log and usage are not what ${wrong.name} of ${wrong.size} leaves covers`,
      ...(wrong.size > this.size ? [`they have ${this.size} leaves`] : []),
      ...(fits ? [`${fits.name} of ${fits.size} leaves fits`] : []),
    ].join('; ');
  }

  private compare(): void {
    for (;;) {
      const next = this.#heads[this.#compared];
      if (next?.size !== this.size || !isEqual(this.#growing.root(), next.root)) return;
      this.#compared += 1;
    }
  }
}
