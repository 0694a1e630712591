import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApiKeys, KeySeals } from '../../../src/organization/api-keys/api-keys.js';
import { customerKeys } from '../../../src/customer/customer-directory.js';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { Vault } from '../../../src/platform/privacy/vault.js';
import { type Database, openDatabase } from '../../../src/platform/database/open-database.js';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { startPostgresProxy } from '../../support/postgres-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';

describe('the database of a process', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    database = await openDatabase({ databaseUrl: test.url, dataDir: '/nowhere' }, logger);
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
  });

  it('is the one the configuration names, and needs no data folder then', async () => {
    const { rows } = await database.pool.query('select current_database() as name');
    expect(rows).toEqual([{ name: new URL(test.url).pathname.slice(1) }]);
  });

  it('answers a module that adds its tables, with the values of pgTypes', async () => {
    await database.pool.query('create table ticks (at timestamptz, n bigint)');
    const db = database.db.withTables<{ ticks: { at: string; n: string } }>();
    await db.insertInto('ticks').values({ at: '2026-01-31T00:00:00.000001Z', n: '7' }).execute();
    expect(await db.selectFrom('ticks').selectAll().execute()).toEqual([
      { at: '2026-01-31T00:00:00.000001Z', n: '7' },
    ]);
  });

  it('takes a large answer in small parts, each in a turn of the event loop of its own', async () => {
    const client = await database.pool.connect();
    let [inTurn, most, total] = [0, 0, 0];
    const count = (part: Buffer): void => {
      inTurn += part.length;
      total += part.length;
    };
    const { stream } = (client as Client).connection;
    stream.on('data', count);
    let isOver = false;
    const turn = (): void => {
      most = Math.max(most, inTurn);
      inTurn = 0;
      for (const end = performance.now() + 2; performance.now() < end;);
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    try {
      const answer = await client.query(`select repeat('x', 1000) as x from generate_series(1, 5000)`);
      expect(answer.rows).toHaveLength(5_000);
      expect(total).toBeGreaterThan(5_000_000);
      expect(most).toBeLessThanOrEqual(2 * 64 * 1024);
    } finally {
      isOver = true;
      stream.off('data', count);
      client.release();
    }
  });

  it('asks on both ends of an idle connection whether the other machine is still there', async () => {
    const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
    const client = await Promise.all(
      Array.from({ length: database.pool.idleCount + 1 }, () => database.pool.connect()),
    );
    try {
      expect(keepAlive).toHaveBeenCalledWith(true, 10_000);
      const { rows } = await client
        .at(-1)!
        .query(`select setting::int from pg_settings where name like 'tcp_keepalives_%' order by name`);
      // A server behind a Unix socket has no keepalive settings.
      const isTcp = !test.url.includes('host=%2F');
      expect(rows).toEqual((isTcp ? [4, 10, 5] : [0, 0, 0]).map((setting) => ({ setting })));
    } finally {
      keepAlive.mockRestore();
      for (const one of client) one.release();
    }
  });

  it('goes on after the server closed every connection, whether idle or in use', async () => {
    const client = await database.pool.connect();
    const asleep = expect(client.query('select pg_sleep(60)')).rejects.toThrow();
    await database.pool.query('select 1');
    await test.pool.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await asleep;
    client.release(true);
    const { rows } = await database.pool.query('select 1 as one');
    expect(rows).toEqual([{ one: 1 }]);
    expect(lines.join()).toContain('An idle database connection broke.');
    expect(lines.join()).not.toMatch(
      /secretKey|processID|connectionParameters|_queryQueue|pg_sleep|password/,
    );
  });

  it('knows keys while every connection for other work is taken', async () => {
    const { pool } = database;
    const vault = new Vault(Buffer.alloc(32), customerKeys(pool));
    const seals = new KeySeals(database, vault, new PostgresEventStore(pool));
    const taken = await Promise.all(
      Array.from({ length: database.pool.options.max }, () => database.pool.connect()),
    );
    try {
      expect(
        await new ApiKeys(database, seals, { bootstrapKey: undefined }).find(
          'a key that there is not, of 40 characters',
        ),
      ).toBeUndefined();
    } finally {
      for (const client of taken) client.release();
    }
  });

  it('ends a count that takes too long', async () => {
    const { rows } = await database.reserved.longReads.query('show statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '20s' }]);
    const other = await database.pool.query('show statement_timeout');
    expect(other.rows).toEqual([{ statement_timeout: '1min' }]);
  });

  it('says that it does not answer, without the password', async () => {
    const opening = openDatabase(
      { databaseUrl: 'postgres://me:hush@127.0.0.1:1/none', dataDir: '.' },
      logger,
    );
    await expect(opening).rejects.toThrow(/^The database does not answer: connect ECONNREFUSED [^@]*$/);
  });

  it('says nothing of connections that end while it closes', async () => {
    const proxy = await startPostgresProxy(test.url);
    const closing = await openDatabase({ databaseUrl: proxy.url, dataDir: '/nowhere' }, logger);
    const { rows } = await closing.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    const ended = `select pg_terminate_backend(pid) from pg_stat_activity where pid = $1`;
    lines.splice(0);
    proxy.stalled = true;
    await closing.close();
    // The server closes the connection before it receives that the pool has closed it.
    await until(async () => (await database.pool.query(ended, [rows[0]!.pid])).rowCount === 0);
    proxy.stalled = false;
    await sleep(50);
    expect(lines).toEqual([]);
    await proxy.close();
  });
});
