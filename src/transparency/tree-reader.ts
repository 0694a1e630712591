import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import type { RecordedEvent } from '../kernel/event.js';
import type { Uuid } from '../kernel/ids.js';
import { Database } from '../platform/database/open-database.js';
import { consistencyRanges, inclusionRanges, type LeafRange } from './domain/merkle.js';
import { hashOfRange, TILE_WIDTH, tileKey, tileOf, tilesOf } from './domain/tiles.js';
import { MERKLE_HASHES } from './sha256.js';
import { leafName } from './tree-writer.js';

interface TileRow {
  readonly level: number;
  readonly index: string;
  readonly hashes: Buffer;
}

interface LeafTileRow {
  readonly index: string;
  readonly leaves: string[];
}

type Connection = Pool | PoolClient;

/** Position of an event in its stream and in the log. */
type LoggedEvent = Pick<RecordedEvent, 'stream' | 'revision' | 'position'>;

/**
 * Reads roots and proofs from the tiles: a few rows each, however large the tree.
 * @throws TileTooShort
 */
@Injectable()
export class TreeReader {
  constructor(private readonly database: Database) {}

  /** Returns the root at an earlier size of the tree. */
  async root(org: Uuid, size: number, client?: Connection): Promise<Uint8Array> {
    const [root] = await this.hashesOf(org, [{ begin: 0, end: size }], client);
    return root!;
  }

  inclusion(org: Uuid, leaf: number, size: number): Promise<Uint8Array[]> {
    return this.hashesOf(org, inclusionRanges(leaf, size));
  }

  consistency(org: Uuid, from: number, to: number): Promise<Uint8Array[]> {
    return this.hashesOf(org, consistencyRanges(from, to));
  }

  /** Returns the consistency proofs of several sizes, read at once. */
  consistencies(org: Uuid, sizes: readonly number[], to: number): Promise<Uint8Array[][]> {
    return this.pathsOf(
      org,
      sizes.map((from) => consistencyRanges(from, to)),
    );
  }

  /** Returns the hashes of several lists of ranges, read at once. */
  async pathsOf(org: Uuid, paths: readonly (readonly LeafRange[])[]): Promise<Uint8Array[][]> {
    const hashes = await this.hashesOf(org, paths.flat());
    let at = 0;
    return paths.map(({ length }) => hashes.slice(at, (at += length)));
  }

  async leafHash(org: Uuid, leaf: number, client?: Connection): Promise<Uint8Array> {
    const [hash] = await this.hashesOf(org, [{ begin: leaf, end: leaf + 1 }], client);
    return hash!;
  }

  /** Returns the name of a leaf: `stream@revision`, or `#` and the number of a usage batch; undefined beyond the tree. */
  async leafName(org: Uuid, leaf: number): Promise<string | undefined> {
    const { index, at } = tileOf({ level: 0, index: leaf });
    const { rows } = await this.database.pool.query<LeafTileRow>({
      name: 'transparency-leaf-name',
      text: 'select index, leaves from transparency_tiles where org = $1 and level = 0 and index = $2',
      values: [org, index],
    });
    return rows[0]?.leaves[at];
  }

  /** Returns the leaf of an event; undefined while the tree lacks it. */
  async leafOfEvent(org: Uuid, event: LoggedEvent): Promise<number | undefined> {
    return (await this.leavesOfEvents(org, [event]))[0];
  }

  /** Returns the leaves of events; undefined for those that the tree lacks. */
  async leavesOfEvents(org: Uuid, events: readonly LoggedEvent[]): Promise<(number | undefined)[]> {
    const { rows } = await this.database.pool.query<{ nth: string; tile: string; entry: number }>({
      name: 'transparency-leaves-of-events',
      text: LEAVES_AT_POSITIONS,
      values: [
        org,
        events.map(({ position }) => position.commit),
        events.map(({ position }) => position.prepare),
        events.map(({ stream, revision }) => leafName(stream, revision)),
      ],
    });
    const leaves: (number | undefined)[] = events.map(() => undefined);
    for (const { nth, tile, entry } of rows) {
      leaves[Number(nth) - 1] = Number(tile) * TILE_WIDTH + entry - 1;
    }
    return leaves;
  }

  /** Returns the leaf of a sealed usage batch; undefined while the tree lacks it. */
  async leafOfBatch(org: Uuid, number: number): Promise<number | undefined> {
    const { rows } = await this.database.pool.query<{ leaf: string }>({
      name: 'transparency-leaf-of-batch',
      text: `select leaf + $2::bigint - first_number as leaf from transparency_batches
        where org = $1 and first_number <= $2 and last_number >= $2`,
      values: [org, number],
    });
    return rows[0] && Number(rows[0].leaf);
  }

  /** Returns the leaves of sealed usage batches, by their numbers. */
  async leavesOfBatches(org: Uuid, numbers: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const { rows } = await this.database.pool.query<{ number: string; leaf: string }>({
      name: 'transparency-leaves-of-batches',
      text: `select number, leaf + number - first_number as leaf
        from unnest($2::bigint[]) as wanted (number) cross join lateral (
          select leaf, first_number, last_number from transparency_batches
          where org = $1 and first_number <= number order by first_number desc limit 1
        ) run where last_number >= number`,
      values: [org, numbers],
    });
    return new Map(rows.map(({ number, leaf }) => [Number(number), Number(leaf)]));
  }

  private async hashesOf(
    org: Uuid,
    ranges: readonly LeafRange[],
    client: Connection = this.database.pool,
  ): Promise<Uint8Array[]> {
    const wanted = tilesOf(ranges);
    const { rows } = await client.query<TileRow>({
      name: 'transparency-tiles-read',
      text: `select level, index, hashes from transparency_tiles
        where org = $1 and (level, index) in (select * from unnest($2::smallint[], $3::bigint[]))`,
      values: [org, wanted.map(({ level }) => level), wanted.map(({ index }) => index)],
    });
    const tiles = new Map(
      rows.map(({ level, index, hashes }) => [tileKey({ level, index: Number(index) }), hashes]),
    );
    // Proofs read at once share the ranges far from their leaves.
    const known = new Map<string, Uint8Array>();
    return ranges.map((range) => {
      const key = `${range.begin}-${range.end}`;
      const hash = known.get(key) ?? hashOfRange(MERKLE_HASHES, tiles, range);
      known.set(key, hash);
      return hash;
    });
  }
}

/**
 * Finds the tile of an event: the last one begun before the event, or the first one begun with it. The
 * database searches its 256 names.
 */
const LEAVES_AT_POSITIONS = `
select nth, index as tile, entry
from unnest($2::bigint[], $3::bigint[], $4::text[]) with ordinality as event (commit, prepare, name, nth)
cross join lateral (
  (select index, array_position(leaves, event.name) as entry from transparency_tiles where org = $1 and level = 0
    and (first_commit, first_prepare) < (event.commit, event.prepare)
    order by first_commit desc, first_prepare desc, index desc limit 1)
  union all
  (select index, array_position(leaves, event.name) from transparency_tiles where org = $1 and level = 0
    and first_commit = event.commit and first_prepare = event.prepare order by index limit 1)
) found where entry is not null`;
