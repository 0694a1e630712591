import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { ClusterFolder, SUPERUSER } from './cluster-folder.js';
import { locatePostgres } from './postgres-binaries.js';
import { adoptServer, startServer, stopServer, takeOwnership } from './postgres-server.js';
import { reachableBin } from './reachable-binaries.js';
import { serverAccount } from './server-account.js';

export interface EmbeddedPostgres {
  /** Of the database `recount`, with the password. */
  readonly url: string;
  /** Stops the server if this process is the one that answers for it. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on a folder of its own, or adopts the server that already runs there. Durable, unless it is
 * ephemeral: then it never syncs, and its folder is gone after `stop`.
 * @throws Error when there are no binaries or the server does not come up
 */
export async function startEmbeddedPostgres(
  path: string,
  { ephemeral = false }: { ephemeral?: boolean } = {},
): Promise<EmbeddedPostgres> {
  const account = serverAccount(path);
  const folder = new ClusterFolder(resolve(path), reachableBin(locatePostgres(), account), account);
  if (!folder.exists) await folder.create(!ephemeral);
  const server = (await adoptServer(folder)) ?? (await startServer(folder, !ephemeral));
  const owned = takeOwnership(folder);

  // an exit nobody announced still asks the server to stop; after SIGKILL the next start adopts it
  const onExit = (): void => {
    try {
      if (owned) process.kill(server.pid, 'SIGINT');
    } catch {
      // it is gone already
    }
  };
  process.once('exit', onExit);

  const address = `${SUPERUSER}:${folder.password()}@127.0.0.1:${server.port}`;
  await createDatabase(`postgres://${address}/postgres`);
  return {
    url: `postgres://${address}/recount`,
    stop: async () => {
      process.off('exit', onExit);
      if (!owned) return;
      await stopServer(folder);
      if (ephemeral) rmSync(folder.path, { recursive: true, force: true });
    },
  };
}

/** Processes that come to a new cluster together make the database once. */
async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtext('recount database'))`);
    const { rowCount } = await client.query(`select from pg_database where datname = 'recount'`);
    if (rowCount === 0) await client.query('create database recount');
  } finally {
    await client.end();
  }
}
