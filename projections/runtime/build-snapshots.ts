import type pg from 'pg';
import type { Position } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { type BuildFault, examineBuilds } from './examined-builds.js';
import { listParkedStreams } from './parked-streams.js';
import type { Projection } from './projection.js';
import { buildTableOf } from './read-model-tables.js';
import { rowHash } from './running-sums.js';

export interface ComparedStores {
  readonly store: EventStore;
  /** Has no statement timeout, because a statement reads every row of a table. */
  readonly pool: pg.Pool;
}

/** Number of rows of an organization in a table, and the sum of a hash over every column of each row. */
interface Sum {
  readonly rows: number;
  readonly hash: bigint;
}

export type Sums = Map<Uuid, Sum>;

/** Live build in one snapshot of the database. */
export interface BuildSnapshot {
  readonly projection: Projection;
  readonly position: Position;
  /** Parked streams, each with the first revision that is not applied. */
  readonly parked: ReadonlyMap<string, bigint>;
  readonly stored: ReadonlyMap<string, Sums>;
  /** Running sums, by table. */
  readonly running: ReadonlyMap<string, Sums>;
}

interface Snapshots {
  readonly snapshots: readonly BuildSnapshot[];
  readonly faults: readonly BuildFault[];
  readonly foreign: readonly BuildFault[];
}

/** Takes a snapshot of every live build that can be compared with the log, all at the same moment. */
export async function takeSnapshots(
  { store, pool }: ComparedStores,
  projections: readonly Projection[],
): Promise<Snapshots> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read');
    const { comparable, faults, foreign } = await examineBuilds(client, store, projections);
    // PostgreSQL shows views as they are now, so that a build which became live after the snapshot looks altered.
    const isSettled = faults.length === 0 || (await areLive(pool, faults));
    if (!isSettled) return await takeSnapshots({ store, pool }, projections);
    const parked = await listParkedStreams(client);
    const snapshots: BuildSnapshot[] = [];
    for (const { projection, checkpoint } of comparable) {
      const [stored, running] = [new Map<string, Sums>(), new Map<string, Sums>()];
      for (const table of Object.keys(projection.tables)) {
        const { rows } = await client.query<SumRow>(
          `select org, count(*) as rows, sum(${rowHash('t')}) as hash
           from "${buildTableOf(table, projection.version)}" t group by org`,
        );
        stored.set(table, addSums(new Map(), rows));
        const { rows: sums } = await client.query<SumRow>(
          `select org, rows, hash from read_model_sums
           where projection = $1 and version = $2 and table_name = $3`,
          [projection.name, projection.version, table],
        );
        running.set(table, addSums(new Map(), sums));
      }
      const left = parked.filter((one) => one.projection === projection.name);
      const streams = new Map(left.map(({ stream, revision }) => [stream, BigInt(revision)]));
      snapshots.push({ projection, position: checkpoint.position, parked: streams, stored, running });
    }
    return { snapshots, faults, foreign };
  } finally {
    // Discards only the checkpoints that `findLiveBuilds` inserts for projections that never ran.
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

async function areLive(pool: pg.Pool, builds: readonly BuildFault[]): Promise<boolean> {
  const { rows } = await pool.query<{ projection: string; version: number }>(
    'select projection, version from projection_checkpoints where live',
  );
  const live = new Map(rows.map(({ projection, version }) => [projection, version]));
  return builds.every(({ projection, version }) => (live.get(projection) ?? 0) === version);
}

/** Rows of an organization and the sum of their hashes, as a query returns them. */
export interface SumRow {
  readonly org: Uuid;
  readonly rows: string;
  readonly hash: string;
}

export function addSums(sums: Sums, rows: readonly SumRow[]): Sums {
  for (const { org, rows: count, hash } of rows) {
    const before = sums.get(org) ?? NO_ROWS;
    sums.set(org, { rows: before.rows + Number(count), hash: before.hash + BigInt(hash) });
  }
  return sums;
}

export const NO_ROWS: Sum = { rows: 0, hash: 0n };
