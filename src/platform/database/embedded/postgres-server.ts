import { existsSync, lstatSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SUPERUSER, type ClusterFolder } from './cluster-folder.js';
import { isAlive, linuxProcess } from './run-program.js';

const ATTEMPTS = 3;
const ADOPTION_SECONDS = 30;
const WRONG_PASSWORD = '28P01';

/** Statements and their values stay out of the server's own log: the application reports its errors itself. */
const QUIET = ['log_min_messages=log', 'log_min_error_statement=panic', 'log_checkpoints=off'];
const SETTINGS = ['listen_addresses=127.0.0.1', 'timezone=UTC', ...QUIET];
/** The folder of the socket is that of the cluster, named from PostgreSQL's working directory `data`. */
const SOCKET_FOLDER = '..';
/** Line of the log of a server that cannot make a socket. */
const NO_SOCKET = /could not create (any Unix-domain sockets|lock file "\.\.)/;
/** Length that a path to a socket may have on every system. */
const LONGEST_SOCKET_PATH = 100;
/** Settings of an ephemeral server: nothing is durable, and several services share it. */
const EPHEMERAL = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'max_connections=300',
];

/** A running server: where it listens and the process id of its postmaster. */
export interface RunningServer {
  readonly pid: number;
  readonly port: number;
}

/**
 * Finds the server that runs on this cluster: a killed process left it, or a living one shares it. Waits for a server
 * that is starting or ending.
 */
export async function adoptServer(folder: ClusterFolder): Promise<RunningServer | undefined> {
  for (let waited = 0; waited < ADOPTION_SECONDS * 10; waited += 1) {
    const running = readPidFile(folder);
    if (!running || forgetStalePid(folder, running.pid) || !isAlive(running.pid)) return undefined;
    const answer = await probe(folder, running.port);
    if (answer === 'open') return running;
    if (answer === 'not ours') return undefined;
    await sleep(100);
  }
  return undefined;
}

/**
 * Returns the folder of the server's Unix socket, over which a statement takes a fifth less processor time than over TCP.
 * @returns undefined if the server has none, as on Windows, or on a file system without sockets
 */
export function socketFolder(folder: ClusterFolder, { port }: RunningServer): string | undefined {
  const socket = join(folder.path, `.s.PGSQL.${port}`);
  const isUsable = process.platform !== 'win32' && Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH;
  return isUsable && lstatSync(socket, { throwIfNoEntry: false })?.isSocket() ? folder.path : undefined;
}

/**
 * Starts the server on `onPort`, or on a port that is free, and without a Unix socket where the file system allows none.
 * @throws Error with the end of the server's log
 */
export async function startServer(
  folder: ClusterFolder,
  durable: boolean,
  onPort?: number,
): Promise<RunningServer> {
  removeStaleSockets(folder);
  let socket = SOCKET_FOLDER;
  for (let attempt = 1; ; attempt += 1) {
    const port = onPort ?? (await freePort());
    const settings = [`unix_socket_directories=${socket}`, ...SETTINGS, ...(durable ? [] : EPHEMERAL)];
    const options = [`-p ${port}`, ...settings.map((setting) => `-c ${setting}`)].join(' ');
    try {
      await folder.run('pg_ctl', 'start', '-w', '-s', '-l', '../server.log', '-o', options);
      writeFileSync(folder.file('owner'), String(process.pid));
      return readPidFile(folder)!;
    } catch (error) {
      // The port was taken meanwhile, another process started the same cluster, or an old backend is still ending.
      const winner = await adoptServer(folder);
      if (winner) return winner;
      if (NO_SOCKET.test(logTail(folder))) socket = '';
      if (attempt === ATTEMPTS) throw new Error(`${(error as Error).message}\n${logTail(folder)}`);
      await sleep(300);
    }
  }
}

export const stopServer = (folder: ClusterFolder): Promise<void> =>
  folder.run('pg_ctl', 'stop', '-w', '-s', '-m', 'fast', '-t', '60');

/**
 * Makes this process the owner, unless another living process is: the owner stops the server when it ends.
 * @returns whether this process is the owner
 */
export function takeOwnership(folder: ClusterFolder): boolean {
  const owner = ownerOf(folder);
  if (owner !== process.pid && isAlive(owner)) return false;
  writeFileSync(folder.file('owner'), String(process.pid));
  return true;
}

export const isOwned = (folder: ClusterFolder): boolean => ownerOf(folder) === process.pid;

function ownerOf(folder: ClusterFolder): number {
  const file = folder.file('owner');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}

/** Connects with the password of the folder, which only a server on this cluster accepts. */
async function probe(folder: ClusterFolder, port: number): Promise<'open' | 'not open' | 'not ours'> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password: folder.password(),
    database: 'postgres',
    connectionTimeoutMillis: 2000,
  });
  client.on('error', () => {}); // The server may end while the connection closes.
  try {
    await client.connect();
    return 'open';
  } catch (error) {
    const refused = (error as { code?: string }).code === WRONG_PASSWORD;
    return refused ? 'not ours' : 'not open';
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Removes a stale `postmaster.pid`, because PostgreSQL does not start while the process id in it is in use. After a
 * restart of the machine or container the id can be another program's, and a killed server whose parent has not
 * collected it keeps its id. Linux tells both cases.
 * @returns whether the file was removed
 */
function forgetStalePid(folder: ClusterFolder, pid: number): boolean {
  if (!isOther(pid)) return false;
  rmSync(join(folder.data, 'postmaster.pid'), { force: true });
  return true;
}

/** Removes sockets of servers that were killed: PostgreSQL does not start on the port of one whose process id is in use. */
function removeStaleSockets(folder: ClusterFolder): void {
  for (const lock of readdirSync(folder.path).filter((name) => /^\.s\.PGSQL\.\d+\.lock$/.test(name))) {
    const path = join(folder.path, lock);
    const pid = existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : 0;
    if (!pid || (isAlive(pid) && !isOther(pid))) continue;
    for (const file of [path.slice(0, -'.lock'.length), path]) rmSync(file, { force: true });
  }
}

/** Returns whether Linux tells that the process is no living server. */
function isOther(pid: number): boolean {
  const recorded = linuxProcess(pid);
  return recorded !== undefined && !(recorded.name.startsWith('postgres') && recorded.state !== 'Z');
}

function readPidFile(folder: ClusterFolder): RunningServer | undefined {
  const file = join(folder.data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const [pid, , , port] = readFileSync(file, 'utf8').split('\n').map(Number);
  return pid && port ? { pid, port } : undefined;
}

function logTail(folder: ClusterFolder): string {
  const log = folder.file('server.log');
  return existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : '';
}

/** Returns whether another process listens on the port, so that no server can start on it. */
export const isPortInUse = (port: number): Promise<boolean> =>
  listenOnce(port).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'EADDRINUSE',
  );

const freePort = (): Promise<number> => listenOnce(0);

/** Listens on a port, or on a free one for 0, and stops at once. Returns the port. */
function listenOnce(onPort: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(onPort, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
