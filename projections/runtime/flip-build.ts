import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inTransaction } from '../../src/platform/database/transaction.js';
import { holdLiveBuild, type Build } from './builds.js';
import { CheckpointTaken } from './checkpoint.js';
import type { Projection } from './projection.js';
import { columnsOf, viewDdl } from './read-model-ddl.js';
import { grantToReaders } from './reader-role.js';
import { dropTablesBeside } from './shadow-build.js';

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

/** What is not read any more: in a transaction of its own, as batches of the former build may hold its tables. */
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
