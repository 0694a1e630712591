import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';
import { ClusterFolder } from '../../../src/platform/database/embedded/cluster-folder.js';
import { ServerSupervisor } from '../../../src/platform/database/embedded/server-supervisor.js';
import { freePort } from '../../support/listen.js';
import { until } from '../../support/until.js';
import { isAlive } from '../../../src/platform/database/embedded/run-program.js';

const run = promisify(execFile);
const STARTER = `
  import { startEmbeddedPostgres } from './src/platform/database/embedded/embedded-postgres.ts';
  const { url } = await startEmbeddedPostgres(process.argv[1]);
  console.log(url);
  process.argv[2] === 'killed' ? process.kill(process.pid, 'SIGKILL') : process.exit(0);
`;

/** Starts the server in another process, which ends without stopping the server. */
async function startElsewhere(folder: string, end: 'killed' | 'exits'): Promise<string> {
  const args = [
    '--import',
    './test/support/ts-loader.mjs',
    '--input-type=module',
    '-e',
    STARTER,
    folder,
    end,
  ];
  const { stdout } = await run(process.execPath, args).catch((error: { stdout: string }) => error);
  return stdout.trim();
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const postmasterOf = (folder: string): number =>
  Number.parseInt(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8'));

describe('the embedded PostgreSQL', () => {
  let home: string;
  let folder: string;
  /**
   * Creates the data folder in a home that only its owner can enter. When these tests run as root, the
   * server's account cannot.
   */
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'recount-home-'));
    chmodSync(home, 0o700);
    folder = join(home, 'data-dir', 'pg');
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('two processes that start on a new folder at the same moment share one server', async () => {
    const [one, two] = await Promise.all([
      startElsewhere(folder, 'killed'),
      startElsewhere(folder, 'killed'),
    ]);
    expect(one).toBe(two);
    await (await startEmbeddedPostgres(folder)).stop();
  });

  it('keeps its data below a home that is closed to others', async () => {
    const first = await startEmbeddedPostgres(folder);
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await startEmbeddedPostgres(folder);
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await second.stop();
    expect(existsSync(join(folder, 'data/postmaster.pid'))).toBe(false);
  });

  it('is durable unless it is ephemeral, and an ephemeral one leaves nothing', async () => {
    const durable = await startEmbeddedPostgres(folder);
    const setting = `select string_agg(setting, ' ' order by name) as on from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit')`;
    expect(await query(durable.url, setting)).toEqual([{ on: 'on on on' }]);
    await durable.stop();

    const passing = join(home, 'ephemeral');
    const ephemeral = await startEmbeddedPostgres(passing, { ephemeral: true });
    expect(await query(ephemeral.url, 'show fsync')).toEqual([{ fsync: 'off' }]);
    await ephemeral.stop();
    expect(existsSync(passing)).toBe(false);
  });

  it('adopts the server of a process that was killed, and stops it at its own end', async () => {
    const left = await startElsewhere(folder, 'killed');
    const postmaster = postmasterOf(folder);
    const adopted = await startEmbeddedPostgres(folder);
    expect(adopted.url).toBe(left);
    expect(postmasterOf(folder)).toBe(postmaster);
    await adopted.stop();
    expect(isAlive(postmaster)).toBe(false);
    expect(existsSync(join(folder, 'data/postmaster.pid'))).toBe(false);
  });

  it('listens on the port it is given, and lets the reader role log in with the password it is given', async () => {
    const port = await freePort();
    for (const readerPassword of ["first'one", 'second']) {
      const server = await startEmbeddedPostgres(folder, { port, readerPassword });
      expect(Number(new URL(server.url).port)).toBe(port);
      const reader = `postgres://recount_reader:${encodeURIComponent(readerPassword)}@127.0.0.1:${port}/recount`;
      expect(await query(reader, 'select current_user as name')).toEqual([{ name: 'recount_reader' }]);
      await server.stop();
    }
  });

  it('starts although a process with the same id was killed while it made the cluster, as in a container', async () => {
    const fresh = join(home, 'made again');
    mkdirSync(join(`${fresh}.new-${process.pid}`, 'data', 'base'), { recursive: true });
    const server = await startEmbeddedPostgres(fresh, { ephemeral: true });
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('is reached over a Unix socket in its folder as well as over TCP', async () => {
    const server = await startEmbeddedPostgres(folder);
    const tcp = new URL(server.url);
    expect(tcp.searchParams.get('host')).toBe(folder);
    const client =
      'select client_addr is null as "isLocal" from pg_stat_activity where pid = pg_backend_pid()';
    expect(await query(server.url, client)).toEqual([{ isLocal: true }]);
    tcp.search = '';
    expect(await query(tcp.href, client)).toEqual([{ isLocal: false }]);
    await server.stop();
  });

  it('is reached over TCP where the path of a socket is too long', async () => {
    const server = await startEmbeddedPostgres(join(home, 'l'.repeat(100)), { ephemeral: true });
    expect(new URL(server.url).search).toBe('');
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('is reached over TCP where no socket can be made', async () => {
    await (await startEmbeddedPostgres(folder)).stop();
    const port = await freePort();
    mkdirSync(join(folder, `.s.PGSQL.${port}`));
    const server = await startEmbeddedPostgres(folder, { port });
    expect(new URL(server.url).search).toBe('');
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('starts although a killed server left a socket whose process id belongs to another program now', async () => {
    await (await startEmbeddedPostgres(folder)).stop();
    const port = await freePort();
    const [socket, lock] = ['', '.lock'].map((end) => join(folder, `.s.PGSQL.${port}${end}`));
    writeFileSync(lock!, `${process.pid}\n`);
    const server = await startEmbeddedPostgres(folder, { port });
    expect(existsSync(socket!)).toBe(true);
    expect(Number(new URL(server.url).port)).toBe(port);
    await server.stop();
    expect([socket, lock].filter((path) => existsSync(path!))).toEqual([]);
  });

  it('leaves a server running that a living process answers for', async () => {
    const starter = await startEmbeddedPostgres(folder);
    writeFileSync(join(folder, 'owner'), String(process.ppid));
    const guest = await startEmbeddedPostgres(folder);
    await guest.stop();
    expect(await query(starter.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await starter.stop();
  });

  it('stops with a process that exits without a word', async () => {
    await startElsewhere(folder, 'exits');
    const again = await startEmbeddedPostgres(folder);
    expect(readFileSync(join(folder, 'server.log'), 'utf8')).toContain('received fast shutdown request');
    await again.stop();
  });

  it('starts although the recorded process id belongs to another program now', async () => {
    await (await startEmbeddedPostgres(folder)).stop();
    writeFileSync(
      join(folder, 'data/postmaster.pid'),
      `${process.pid}\n${folder}\n0\n1\n\n127.0.0.1\n0 0\nready\n`,
    );
    const server = await startEmbeddedPostgres(folder);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('inherits no secret and no setting of the process that starts it', async () => {
    const secrets = { MASTER_KEY: 'm', API_KEY: 'a', BOOTSTRAP_KEY: 'b', DATABASE_URL: 'd', NPM_TOKEN: 'n' };
    const before = { ...process.env };
    Object.assign(process.env, secrets, { PGOPTIONS: '-c search_path=elsewhere' });
    const server = await startEmbeddedPostgres(folder).finally(() => (process.env = before));
    if (existsSync('/proc/self/environ')) {
      const environ = readFileSync(`/proc/${postmasterOf(folder)}/environ`, 'utf8');
      const names = environ.split('\0').map((pair) => pair.split('=')[0]!);
      expect(names).toEqual(expect.arrayContaining(['PATH', 'LC_ALL', 'TZ']));
      // PostgreSQL adds its own variables.
      const known =
        /^(PATH|LD_LIBRARY_PATH|TMPDIR|LC_\w+|TZ|PG_GRANDPARENT_PID|PGSYSCONFDIR|PGLOCALEDIR|PGDATA|PWD|OLDPWD|SHLVL|_|)$/;
      expect(names.filter((name) => !known.test(name))).toEqual([]);
    }
    await server.stop();
  });

  it('is started again on its port when it was killed', async () => {
    let restarts = 0;
    const server = await startEmbeddedPostgres(folder, { onRestart: () => (restarts += 1) });
    await query(server.url, 'create table survives as select 7 as n');
    const killed = postmasterOf(folder);
    process.kill(killed, 'SIGKILL');
    await until(() => restarts === 1);
    expect(postmasterOf(folder)).not.toBe(killed);
    expect(await query(server.url, 'select n from survives')).toEqual([{ n: 7 }]);
    await server.stop();
    expect(existsSync(join(folder, 'data/postmaster.pid'))).toBe(false);
  });

  it('is given up with the reason when it cannot be started again', async () => {
    const server = await startEmbeddedPostgres(folder, { ephemeral: true });
    const cluster = new ClusterFolder(folder, '/no/such/folder', undefined);
    const pid = postmasterOf(folder);
    const running = { pid, port: Number(new URL(server.url).port) };
    const supervisor = new ServerSupervisor(cluster, running, () => {}, { everyMs: 10, abandonAfterMs: 50 });
    process.kill(pid, 'SIGKILL');
    const { message } = await supervisor.lost;
    expect(message).toContain(`The embedded PostgreSQL in ${folder} ended and cannot be started again`);
    await supervisor.stop();
    await server.stop();
  });

  it('answers nobody without the password', async () => {
    const server = await startEmbeddedPostgres(folder);
    const guess = new URL(server.url);
    guess.password = 'guess';
    await expect(query(guess.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    await server.stop();
  });

  it('says what the server said when it cannot start', async () => {
    const file = join(folder, 'data/PG_VERSION');
    const version = readFileSync(file);
    writeFileSync(file, '9\n');
    await expect(startEmbeddedPostgres(folder)).rejects.toThrow(/initialized by PostgreSQL version 9/);
    writeFileSync(file, version);
  });
});
