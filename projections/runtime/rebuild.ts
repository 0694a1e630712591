import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { comparePositions, formatPosition, type Position } from '../../src/kernel/event.js';
import { inTransaction } from '../../src/platform/database/transaction.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import {
  type Build,
  CheckpointTaken,
  holdLiveBuild,
  liveBuild,
  liveBuilds,
  reasonNotToResume,
} from './checkpoint.js';
import { columnsOf, grantToReaders, viewDdl } from './read-model-tables.js';
import { Leases } from './leases.js';
import type { Projection } from './projection.js';
import {
  compareBuilds,
  dropTablesBeside,
  type Leftover,
  ShadowBuild,
  type TableComparison,
} from './shadow-build.js';
import { BEFORE_ALL } from '../../src/kernel/event.js';

/** Closer than this to the live build, the rest is applied while that stands still. */
const NEAR = 500;
/** A builder waits for another one. */
const LOOK_EVERY_MS = 500;

export interface Stores {
  readonly store: EventStore;
  readonly pool: pg.Pool;
}

/**
 * Builds a projection anew beside the live one, which is read and goes on meanwhile, compares the two, and lets the new
 * one reserve its place. Whatever breaks it off leaves the live one as it is. Says what it does, line by line.
 * @returns whether the live build was what the log says it must be, or could not be compared
 * @throws Error naming the event that cannot be applied, or what else is in the way
 */
export async function* rebuild(stores: Stores, projection: Projection): AsyncGenerator<string, boolean> {
  return yield* asOnlyBuilder(stores.pool, projection, (epoch) =>
    build(stores, projection, 'dropped', epoch),
  );
}

/**
 * At start: rebuilds what code of another version has built, so that this process's queries find its own columns. Where
 * several processes start, one builds and the others wait. A start that was broken off is gone on with.
 */
export async function* renewReadModels(
  stores: Stores,
  projections: readonly Projection[],
): AsyncGenerator<string> {
  const builds = await liveBuilds(stores.pool, projections);
  for (const projection of projections.filter(
    ({ version }, place) => builds[place]!.definition !== version,
  )) {
    const isOther = async (): Promise<boolean> =>
      (await liveBuild(stores.pool, projection)).definition !== projection.version;
    yield* asOnlyBuilder(stores.pool, projection, async function* (epoch) {
      return (await isOther()) ? yield* build(stores, projection, 'resumed', epoch) : true;
    });
  }
}

async function* build(
  { store, pool }: Stores,
  projection: Projection,
  leftover: Leftover,
  epoch: bigint,
): AsyncGenerator<string, boolean> {
  // 1. Tables and a checkpoint of its own.
  const before = await liveBuild(pool, projection);
  const shadow = await ShadowBuild.open(pool, store, projection, leftover, epoch);
  const built = shadow.projection;
  yield `${built.name}: build ${built.version} is made beside build ${before.projection.version}.`;

  // 2. Everything up to where the live one is, or to the head where that can go on no more.
  const fill = async (live: Build): Promise<Filled> => {
    const { stopped, checkpoint } = live;
    const canGoOn = stopped === undefined && !(await reasonNotToResume(built.name, checkpoint, store));
    const upTo = canGoOn ? checkpoint.position : ((await store.head()) ?? BEFORE_ALL);
    return { count: await shadow.fill(upTo), reached: shadow.reached, canGoOn };
  };
  const approach = async function* (): AsyncGenerator<string> {
    for (let count = NEAR; count >= NEAR;) {
      const filled = await fill(await liveBuild(pool, projection));
      count = filled.count;
      if (count > 0) yield `${built.name}: ${count} events read, up to ${formatPosition(filled.reached)}.`;
    }
  };
  yield* approach();

  // 3. The two compared where both are at the same event, in a view of the database that holds nobody up.
  let isSame = true;
  const compared = before.definition === projection.version && (await compare(pool, built, fill));
  for (const table of compared || []) {
    isSame &&= table.differing === '0';
    yield `${built.name}: ${inWords(table)}`;
  }

  // 4. The new one is read from now on; a long comparison has let the log go on.
  yield* approach();
  await flipBuild(pool, built, epoch, async (live) => {
    const { reached, canGoOn } = await fill(live);
    return !canGoOn || comparePositions(reached, live.checkpoint.position) >= 0;
  });
  yield `${built.name}: build ${built.version} is read from now on.`;
  await dropFormerBuilds(pool, built);
  return isSame;
}

/** Outcome of filling the new build up to the live one. */
interface Filled {
  readonly count: number;
  readonly reached: Position;
  /** Whether the live one does; where it does not, the new one is ahead of it. */
  readonly canGoOn: boolean;
}

/** Undefined where the live one stands at another place, as it cannot go on. */
async function compare(
  pool: pg.Pool,
  built: Projection,
  fill: (live: Build) => Promise<Filled>,
): Promise<TableComparison[] | undefined> {
  const reader = await pool.connect();
  try {
    const live = await inTransaction(pool, async (client) => {
      await client.query(`set local idle_in_transaction_session_timeout = '10s'`);
      const held = await holdLiveBuild(client, built);
      const { reached } = await fill(held);
      if (comparePositions(reached, held.checkpoint.position) !== 0) return undefined;
      const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
      await reader.query('begin isolation level repeatable read read only');
      await reader.query(`set transaction snapshot '${rows[0]!.id}'`);
      return held.projection;
    });
    return live && (await compareBuilds(reader, live, built));
  } finally {
    await reader.query('rollback').catch(() => {});
    reader.release();
  }
}

const inWords = ({ table, rows, differing, example }: TableComparison): string =>
  differing === '0'
    ? `${table}: ${rows} rows, as they were.`
    : `${table}: ${rows} rows; ${differing} were not what the log says, such as ${JSON.stringify(example)}.`;

/**
 * One builder at a time, by a lease: one that died is replaced at once and one that is frozen after some seconds, and what
 * either had begun refuses it from then on.
 */
async function* asOnlyBuilder<T>(
  pool: pg.Pool,
  { name }: Projection,
  work: (epoch: bigint) => AsyncGenerator<string, T>,
): AsyncGenerator<string, T> {
  const leases = new Leases(pool);
  const lease = `rebuild ${name}`;
  try {
    let epoch = (await leases.take([lease])).get(lease);
    if (epoch === undefined) yield `${name}: another process is building it, and is waited for.`;
    while (epoch === undefined) {
      await sleep(LOOK_EVERY_MS);
      epoch = (await leases.take([lease])).get(lease);
    }
    return yield* work(epoch);
  } finally {
    await leases.close();
  }
}

const TRIES = 60;
const PAUSE_MS = 250;

/**
 * Makes a build the one that is read: views, checkpoints, all in one transaction, which holds up the projection and who
 * reads its views for its few statements.
 * @param fill brings it up to the live one, which stands still meanwhile; answers whether it may take its place
 * @param epoch of the lease under which it was built
 * @throws Error when it may not
 */
export async function flipBuild(
  pool: pg.Pool,
  built: Projection,
  epoch: bigint,
  fill: (live: Build) => Promise<boolean>,
): Promise<void> {
  await whenUnlocked(() =>
    inTransaction(pool, async (client) => {
      await limitWaiting(client);
      const live = await holdLiveBuild(client, built);
      if (!(await fill(live))) throw new Error(`The new build of ${built.name} is behind the live one.`);
      for (const [view, table] of Object.entries(built.tables)) {
        const same = (await columnsInDatabase(client, view)).join() === columnsOf(table).join();
        for (const statement of viewDdl(view, built.version, table, same ? 'same' : 'new')) {
          await client.query(statement);
        }
      }
      await grantToReaders(client, Object.keys(built.tables));
      const { name } = built;
      await client.query('delete from projection_checkpoints where projection = $1 and live', [name]);
      await client.query('delete from projection_parked_streams where projection = $1', [name]);
      const { rowCount } = await client.query(
        'update projection_checkpoints set live = true, epoch = 0 where projection = $1 and version = $2 and epoch = $3',
        [name, built.version, epoch],
      );
      if (rowCount === 0) throw new CheckpointTaken(name);
    }),
  );
}

/** Drops builds that nobody reads any more: in a transaction of its own, as batches of the former build may hold its tables. */
export async function dropFormerBuilds(pool: pg.Pool, built: Projection): Promise<void> {
  await whenUnlocked(() =>
    inTransaction(pool, async (client) => {
      await limitWaiting(client);
      await dropTablesBeside(client, built, built.version);
    }),
  );
}

/**
 * Waits for locks shorter than the time after which PostgreSQL looks for deadlocks: never is somebody else the one who is
 * refused. Holds its own no longer than a projection may stand still, should this process be frozen.
 */
const limitWaiting = (client: pg.PoolClient): Promise<unknown> =>
  client.query(`set local lock_timeout = '500ms'; set local idle_in_transaction_session_timeout = '10s'`);

const LOCK_NOT_AVAILABLE = '55P03';

/** A long query of an analyst holds its view: whoever comes after waits no longer for us than we wait. */
async function whenUnlocked(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isLocked = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isLocked || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function columnsInDatabase(client: pg.PoolClient, view: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 order by attnum`,
    [pg.escapeIdentifier(view)],
  );
  return rows.map(({ name }) => name);
}
