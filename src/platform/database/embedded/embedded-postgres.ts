import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { ClusterFolder, SUPERUSER } from './cluster-folder.js';
import { locatePostgres, reachableBin } from './postgres-binaries.js';
import {
  adoptServer,
  isOwned,
  isPortInUse,
  socketFolder,
  startServer,
  stopServer,
  takeOwnership,
} from './postgres-server.js';
import { isAlive, serverAccount } from './run-program.js';
import { ServerSupervisor } from './server-supervisor.js';

export interface EmbeddedPostgres {
  /** URL of the database `recount`, with the password. `host` in its query is the folder of the Unix socket, if there is one. */
  readonly url: string;
  /** Resolves when the server has ended and does not come back: the process has no database any more. */
  readonly lost: Promise<Error>;
  /** Stops the server if this process owns it. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  readonly ephemeral?: boolean;
  /** Port of a server that is started; undefined for a free port. A running server keeps its port. */
  readonly port?: number | undefined;
  /** Password of the login `recount_reader`; undefined: no such login is created. */
  readonly readerPassword?: string | undefined;
  /** Called when the server had ended by itself and runs again. */
  readonly onRestart?: () => void;
}

/**
 * Starts PostgreSQL on a folder of its own, or adopts the server that already runs there. A durable server is started
 * again when it ends by itself. An ephemeral one never syncs, is not supervised, and its folder is gone after `stop`.
 * @throws Error when there are no binaries, `port` is in use, or the server does not come up
 */
export async function startEmbeddedPostgres(
  path: string,
  { ephemeral = false, port, readerPassword, onRestart = () => {} }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const account = serverAccount(path);
  const folder = new ClusterFolder(resolve(path), reachableBin(locatePostgres(), account), account);
  if (!folder.exists) await folder.create(!ephemeral);
  let server = (await adoptServer(folder)) ?? (await startFirst(folder, !ephemeral, port));
  let owned = takeOwnership(folder);
  const supervisor = ephemeral
    ? undefined
    : new ServerSupervisor(folder, server, (restarted) => {
        server = restarted;
        owned = isOwned(folder);
        onRestart();
      });

  // A process that exits without `stop` still asks the server to stop; after SIGKILL the next start adopts the server.
  const onExit = (): void => {
    try {
      if (owned) process.kill(server.pid, 'SIGINT');
    } catch {
      // The server has ended already.
    }
  };
  process.once('exit', onExit);

  const address = `${SUPERUSER}:${folder.password()}@127.0.0.1:${server.port}`;
  await prepareServer(`postgres://${address}/postgres`, readerPassword);
  const socket = socketFolder(folder, server);
  return {
    url: `postgres://${address}/recount${socket ? `?host=${encodeURIComponent(socket)}` : ''}`,
    lost: supervisor?.lost ?? new Promise(() => {}),
    stop: async () => {
      process.off('exit', onExit);
      await supervisor?.stop();
      if (!owned) return;
      if (isAlive(server.pid)) await stopServer(folder);
      if (ephemeral) rmSync(folder.path, { recursive: true, force: true });
    },
  };
}

/** Starts the server for this process. @throws Error with a sentence for the operator, if `port` is in use */
async function startFirst(folder: ClusterFolder, durable: boolean, port: number | undefined) {
  try {
    return await startServer(folder, durable, port);
  } catch (cause) {
    if (port === undefined || !(await isPortInUse(port))) throw cause;
    throw new Error(
      `EMBEDDED_PORT ${port} of 127.0.0.1 is in use already. Stop the process that listens there, or set EMBEDDED_PORT to another port.`,
      { cause },
    );
  }
}

/** Creates the database and the login of analysts, under a lock: several processes may start on a new cluster at once. */
async function prepareServer(url: string, readerPassword: string | undefined): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtext('recount database'))`);
    const { rowCount } = await client.query(`select from pg_database where datname = 'recount'`);
    if (rowCount === 0) await client.query('create database recount');
    if (readerPassword === undefined) return;
    const { rowCount: readers } = await client.query(`select from pg_roles where rolname = 'recount_reader'`);
    const verb = readers === 0 ? 'create' : 'alter';
    await client.query(`${verb} role recount_reader login password ${pg.escapeLiteral(readerPassword)}`);
  } finally {
    await client.end();
  }
}
