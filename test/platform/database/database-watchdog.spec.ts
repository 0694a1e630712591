import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseWatchdog } from '../../../src/platform/database/database-watchdog.js';
import {
  openDatabase,
  type Database,
  inTransaction,
  isStatementTimeout,
} from '../../../src/platform/database/open-database.js';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import { isDatabaseDown } from '../../../src/platform/eventsourcing/store/store-down.js';
import { RecordedLog } from '../../projections/runtime/recorded-log.js';
import { startPostgresProxy, type PostgresProxy } from '../../support/postgres-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';

describe('the connections of a process', () => {
  let test: TestDatabase;
  let proxy: PostgresProxy;
  let database: Database;
  const log = new RecordedLog();
  beforeAll(async () => {
    test = await createTestDatabase();
    proxy = await startPostgresProxy(test.url);
    database = await openDatabase({ databaseUrl: proxy.url, dataDir: '/nowhere' }, log);
  });
  afterAll(async () => {
    await database.close();
    await proxy.close();
    await test.drop();
  });

  const failureOf = (statement: Promise<unknown>): Promise<unknown> =>
    statement.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('are left alone while the server answers, however long a statement takes', async () => {
    await database.pool.query('select pg_sleep(5)');
    expect(log.sentences).toEqual([]);
  });

  it('are left alone when the process itself is blocked while the watchdog connects', async () => {
    const heard = new RecordedLog();
    const watchdog = new DatabaseWatchdog(test.url, heard);
    watchdog.start();
    for (let blocks = 0; blocks < 5; blocks += 1) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
      await nextTurn();
    }
    await watchdog.stop();
    expect(heard.sentences).toEqual([]);
  });

  it('are broken off when a server is frozen, refused meanwhile, and made anew when it answers again', async () => {
    const inTransaction = await database.pool.connect();
    await inTransaction.query('begin');
    proxy.stalled = true;
    const failures = await Promise.all([
      failureOf(inTransaction.query('select 1')),
      ...Array.from({ length: 30 }, () => failureOf(database.pool.query('select 1'))),
      ...[database.reserved.keys, database.reserved.longReads].map((pool) =>
        failureOf(pool.query('select 1')),
      ),
    ]);
    inTransaction.release(true);
    expect(failures.filter((failure) => !isDatabaseDown(failure))).toEqual([]);
    expect(log.sentences).toEqual(['The database does not answer. All connections are closed.']);

    expect(isDatabaseDown(await failureOf(database.pool.query('select 1')))).toBe(true);
    proxy.stalled = false;
    await until(async () => (await failureOf(database.pool.query('select 1'))) === undefined);
    expect(log.sentences.at(-1)).toBe('The database answers again.');
  });

  it('let go of their locks when their process says nothing more in a transaction', async () => {
    const frozen = await database.pool.connect();
    await frozen.query('begin');
    await frozen.query('lock table schema_migrations in exclusive mode');
    await test.pool.query('begin; lock table schema_migrations in exclusive mode; commit');
    frozen.release(true);
  });

  it('fail a statement that takes longer than their limit, and serve the next one', async () => {
    const pool = createPool(test.url, () => {}, 1, { queryTimeoutMs: 300 });
    const connection = await pool.connect();
    expect(isStatementTimeout(await failureOf(connection.query('select pg_sleep(600)')))).toBe(true);
    // On the same connection, which a caller may have released as after any error of a statement.
    await until(async () => (await failureOf(connection.query('select 1'))) === undefined);
    connection.release();
    const slow = inTransaction(pool, (client) => client.query('select pg_sleep(60)'));
    expect(isDatabaseDown(await failureOf(slow))).toBe(true);
    // On a busy machine a statement may take longer than this limit.
    await until(async () => (await failureOf(pool.query('select 1'))) === undefined);
    await pool.end();
  });

  it('say nothing of a server that refuses them: their statements fail by themselves', async () => {
    log.sentences.length = 0;
    proxy.down = true;
    expect(isDatabaseDown(await failureOf(database.pool.query('select 1')))).toBe(true);
    proxy.down = false;
    await until(async () => (await failureOf(database.pool.query('select 1'))) === undefined);
    expect(log.sentences.filter((sentence) => !sentence.startsWith('An idle'))).toEqual([]);
  });
});
