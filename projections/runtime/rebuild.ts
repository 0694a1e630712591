import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { BEFORE_ALL, comparePositions, formatPosition, type Position } from '../../src/kernel/event.js';
import { inTransaction } from '../../src/platform/database/open-database.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { Logger } from '../../src/platform/telemetry/logger.js';
import {
  type Build,
  CheckpointTaken,
  lockLiveBuild,
  liveBuild,
  liveBuilds,
  reasonNotToResume,
  storeEnds,
} from './checkpoint.js';
import { columnNamesOf, grantToReaders, viewDdl } from './read-model-tables.js';
import { Leases } from './leases.js';
import { unparkAll } from './parked-streams.js';
import type { Projection } from './projection.js';
import {
  compareBuilds,
  type UnfinishedBuild,
  ShadowBuild,
  storedTables,
  type TableComparison,
  tablesOfBuilds,
} from './shadow-build.js';

/** With fewer events left, the rest is applied while the live build is locked. */
const FEW_EVENTS = 500;
/** Interval at which a process that waits for another builder asks for the lease. */
const POLL_EVERY_MS = 500;

export interface Stores {
  readonly store: EventStore;
  readonly pool: pg.Pool;
}

/**
 * Fills a new build of a projection beside the live one, compares the two and makes the new one live. The live build
 * serves reads meanwhile, and stays as it is when the rebuild fails. Yields a line per step.
 * @returns whether the live build equalled the new one or could not be compared
 * @throws Error that names the event that cannot be applied, or another obstacle
 */
export async function* rebuild(stores: Stores, projection: Projection): AsyncGenerator<string, boolean> {
  const isSame = yield* withBuilderLease(stores.pool, projection, (epoch) =>
    build(stores, projection, 'dropped', epoch),
  );
  const { projection: live } = await liveBuild(stores.pool, projection);
  if (await dropFormerBuilds(stores.pool, live, await storedTables(stores.pool)))
    yield formerBuildsStay(live);
  return isSame;
}

/**
 * Rebuilds, at the start of a process, the projections that another version of the code has built, so that
 * the queries of this process find their columns. Of several processes, one builds and the others wait. A
 * half-filled build of a failed start is continued, and tables that a former start could not drop are dropped.
 */
export async function rebuildOutdated(
  stores: Stores,
  projections: readonly Projection[],
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<void> {
  const builds = await liveBuilds(stores.pool, projections);
  for (const [index, projection] of projections.entries()) {
    if (builds[index]!.definition === projection.version) continue;
    const building = withBuilderLease(stores.pool, projection, async function* (epoch) {
      const isOther = (await liveBuild(stores.pool, projection)).definition !== projection.version;
      return isOther ? yield* build(stores, projection, 'resumed', epoch) : true;
    });
    for await (const line of building) log.info({}, line);
    builds[index] = await liveBuild(stores.pool, projection);
  }
  const known = await storedTables(stores.pool);
  for (const { projection: live } of builds) {
    const err = await dropFormerBuilds(stores.pool, live, known);
    if (err) log.warn({ err }, formerBuildsStay(live));
  }
}

async function* build(
  { store, pool }: Stores,
  projection: Projection,
  unfinished: UnfinishedBuild,
  epoch: bigint,
): AsyncGenerator<string, boolean> {
  // 1. Create tables and a checkpoint for the new build.
  const before = await liveBuild(pool, projection);
  const shadow = await ShadowBuild.open(pool, store, projection, unfinished, epoch);
  const built = shadow.projection;
  yield `${built.name}: build ${built.version} is made beside build ${before.projection.version}.`;

  // 2. Apply the log up to the checkpoint of the live build, or up to the head when the live build cannot resume.
  const fill = async (live: Build): Promise<Filled> => {
    const { stopped, checkpoint } = live;
    const ends = await storeEnds(store);
    const canResume = stopped === undefined && !reasonNotToResume(built.name, checkpoint, ends);
    const upTo = canResume ? checkpoint.position : (ends.head ?? BEFORE_ALL);
    return { count: await shadow.fill(upTo), reached: shadow.reached, canResume };
  };
  const catchUp = async function* (): AsyncGenerator<string> {
    for (let count = FEW_EVENTS; count >= FEW_EVENTS;) {
      const filled = await fill(await liveBuild(pool, projection));
      count = filled.count;
      if (count > 0) yield `${built.name}: ${count} events read, up to ${formatPosition(filled.reached)}.`;
    }
  };
  yield* catchUp();
  await shadow.collectStatistics();

  // 3. Compare both builds at the same event, in a snapshot that blocks no writer.
  let isSame = true;
  const compared = before.definition === projection.version && (await compare(pool, built, fill));
  for (const table of compared || []) {
    isSame &&= table.differing === '0';
    yield `${built.name}: ${describeComparison(table)}`;
  }

  // 4. Apply the events appended during the comparison, and make the new build live.
  yield* catchUp();
  await activateBuild({ store, pool }, built, epoch, async (live) => {
    const { reached, canResume } = await fill(live);
    return !canResume || comparePositions(reached, live.checkpoint.position) >= 0;
  });
  yield `${built.name}: build ${built.version} is read from now on.`;
  return isSame;
}

/** Result of filling the new build up to the live one. */
interface Filled {
  readonly count: number;
  readonly reached: Position;
  /** Tells whether the live build can resume; if not, the new build is ahead of it. */
  readonly canResume: boolean;
}

/** @returns undefined when the live build cannot resume and so is at another position */
async function compare(
  pool: pg.Pool,
  built: Projection,
  fill: (live: Build) => Promise<Filled>,
): Promise<TableComparison[] | undefined> {
  const reader = await pool.connect();
  try {
    const live = await inTransaction(pool, async (client) => {
      await client.query(`set local idle_in_transaction_session_timeout = '10s'`);
      const held = await lockLiveBuild(client, built);
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

const describeComparison = ({ table, rows, differing, example }: TableComparison): string =>
  differing === '0'
    ? `${table}: ${rows} rows, as they were.`
    : `${table}: ${rows} rows; ${differing} were not what the log says, such as ${JSON.stringify(example)}.`;

/**
 * Holds a lease, so that one builder works at a time. A dead builder is replaced at once, a frozen one after
 * some seconds; the build then refuses its writes.
 */
async function* withBuilderLease<T>(
  pool: pg.Pool,
  { name }: Projection,
  work: (epoch: bigint) => AsyncGenerator<string, T>,
): AsyncGenerator<string, T> {
  const leases = new Leases(pool);
  const lease = `rebuild ${name}`;
  try {
    let epoch = (await leases.acquire([lease])).get(lease);
    if (epoch === undefined) yield `${name}: another process is building it, and is waited for.`;
    while (epoch === undefined) {
      await sleep(POLL_EVERY_MS);
      epoch = (await leases.acquire([lease])).get(lease);
    }
    return yield* work(epoch);
  } finally {
    await leases.close();
  }
}

const MAX_TRIES = 60;
/** Limit of tries for work that a later start repeats. */
const FEW_TRIES = 4;
const RETRY_EVERY_MS = 250;

/**
 * Makes a build live: one transaction replaces views and checkpoints. Runner and readers of the projection
 * wait for it.
 * @param fill brings the build up to the live one, which is locked; returns whether it may become live
 * @param epoch of the lease under which it was built
 * @throws Error when it may not become live
 */
async function activateBuild(
  { store, pool }: Stores,
  built: Projection,
  epoch: bigint,
  fill: (live: Build) => Promise<boolean>,
): Promise<void> {
  await retryWhileLocked(() =>
    inTransaction(pool, async (client) => {
      await limitLockWaits(client);
      const live = await lockLiveBuild(client, built);
      if (!(await fill(live))) throw new Error(`The new build of ${built.name} is behind the live one.`);
      for (const [view, table] of Object.entries(built.tables)) {
        const same = (await columnsInDatabase(client, view)).join() === columnNamesOf(table).join();
        for (const statement of viewDdl(view, built.version, table, same ? 'same' : 'new')) {
          await client.query(statement);
        }
      }
      await grantToReaders(client, Object.keys(built.tables));
      const { name } = built;
      await client.query('delete from projection_checkpoints where projection = $1 and live', [name]);
      await unparkAll(client, store, built);
      await client.query('delete from read_model_sums where projection = $1 and version <> $2', [
        name,
        built.version,
      ]);
      const { rowCount } = await client.query(
        'update projection_checkpoints set live = true, epoch = 0 where projection = $1 and version = $2 and epoch = $3',
        [name, built.version, epoch],
      );
      if (rowCount === 0) throw new CheckpointTaken(name);
    }),
  );
}

/**
 * Drops the tables of former builds. Not part of the activation, as a batch of the former build may lock its tables. Only
 * former builds have versions before the live one, so it needs no lease.
 * @returns the error if tables stay, such as those that a long query locks or a view reads
 */
async function dropFormerBuilds(
  pool: pg.Pool,
  live: Projection,
  known: readonly string[],
): Promise<pg.DatabaseError | undefined> {
  const former = tablesOfBuilds(known, live, (version) => version < live.version);
  try {
    for (const table of former)
      await retryWhileLocked(
        () =>
          inTransaction(pool, async (client) => {
            await limitLockWaits(client);
            await client.query(`drop table if exists "${table}"`);
          }),
        FEW_TRIES,
      );
    return undefined;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error;
    throw error;
  }
}

const formerBuildsStay = ({ name }: Projection): string =>
  `${name}: Tables of a former build could not be dropped. The next start or rebuild drops them.`;

/**
 * Limits waits for locks to less than PostgreSQL's deadlock_timeout, so that a deadlock ends this transaction and no
 * other. Limits idling too, so that a frozen process does not block the projection.
 */
const limitLockWaits = (client: pg.PoolClient): Promise<unknown> =>
  client.query(`set local lock_timeout = '500ms'; set local idle_in_transaction_session_timeout = '10s'`);

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Retries while another session locks a view, such as a long query of an analyst. Other sessions wait during
 * each try only.
 */
async function retryWhileLocked(work: () => Promise<void>, maxTries = MAX_TRIES): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isLocked = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isLocked || tries === maxTries) throw error;
      await sleep(RETRY_EVERY_MS);
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
