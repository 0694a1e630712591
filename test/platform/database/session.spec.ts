import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '../../../src/platform/database/open-database.js';
import { withCancellableClient } from '../../../src/platform/database/cancellable.js';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { listen } from '../../support/listen.js';
import { startPooler } from '../../support/pooler.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';

const logger = createLogger('silent');
const open = (databaseUrl: string): Promise<Database> =>
  openDatabase({ databaseUrl, dataDir: '/nowhere' }, logger);
const withParameters = (url: string, parameters: Readonly<Record<string, string>>): string => {
  const named = new URL(url);
  for (const [name, value] of Object.entries(parameters)) named.searchParams.set(name, value);
  return named.href;
};

/** Requests for a password by SCRAM, one after the other, as PostgreSQL sends them. */
const PASSWORD_REQUESTS = ['R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', 'R\0\0\0\x0b\0\0\0\x0br=x'];

/**
 * Settings of a database or role that change values, statements or how long they may take. The statement that replaces them
 * is executed under them.
 */
const OF_OTHERS = {
  TimeZone: 'Asia/Kolkata',
  DateStyle: 'German',
  IntervalStyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '0',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  default_transaction_isolation: 'serializable',
  statement_timeout: '123456',
  lock_timeout: '123456',
  idle_session_timeout: '123456',
  idle_in_transaction_session_timeout: '123456',
  enable_seqscan: 'on',
};

describe('a session', () => {
  let test: TestDatabase;
  let named: string;
  beforeAll(async () => {
    test = await createTestDatabase();
    named = new URL(test.url).pathname.slice(1);
    for (const [name, value] of Object.entries(OF_OTHERS))
      await test.pool.query(`alter database ${named} set ${name} = '${value}'`);
  });
  afterAll(() => test.drop());

  const settingsOf = async (pool: Database['pool']): Promise<Record<string, string>> => {
    const { rows } = await pool.query<{ name: string; value: string }>(
      'select name, current_setting(name) as value from unnest($1::text[]) as name',
      [Object.keys(OF_OTHERS)],
    );
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  };

  it.each([
    ['the database', {}],
    ['the options of the URL', { options: '-c TimeZone=Asia/Tokyo -c search_path=public -c lock_timeout=1' }],
    ['the URL', { statement_timeout: '765432', application_name: 'billing' }],
  ])('has the settings of the process, whatever %s says', async (_, parameters) => {
    const database = await open(withParameters(test.url, parameters));
    const expected = {
      TimeZone: 'UTC',
      DateStyle: 'ISO, MDY',
      IntervalStyle: 'postgres',
      bytea_output: 'hex',
      extra_float_digits: '1',
      standard_conforming_strings: 'on',
      array_nulls: 'on',
      transform_null_equals: 'off',
      quote_all_identifiers: 'off',
      default_transaction_isolation: 'read committed',
      statement_timeout: '1min',
      lock_timeout: '0',
      idle_session_timeout: '0',
      idle_in_transaction_session_timeout: '10s',
      enable_seqscan: 'on',
    };
    try {
      expect(await settingsOf(database.pool)).toEqual(expected);
      expect(await settingsOf(database.reserved.readModels)).toEqual({ ...expected, enable_seqscan: 'off' });
      expect(await settingsOf(database.reserved.longReads)).toEqual({
        ...expected,
        statement_timeout: '20s',
        idle_in_transaction_session_timeout: '0',
      });
      await database.withoutLimit(async (pool) =>
        expect(await settingsOf(pool)).toEqual({
          ...expected,
          statement_timeout: '0',
          idle_in_transaction_session_timeout: '0',
        }),
      );
    } finally {
      await database.close();
    }
  });

  it('keeps the schema that the URL names', async () => {
    await test.pool.query('create schema elsewhere');
    const database = await open(withParameters(test.url, { options: '-c search_path=elsewhere' }));
    const { rows } = await database.pool.query('select current_schema() as schema');
    await database.close();
    expect(rows).toEqual([{ schema: 'elsewhere' }]);
  });

  it('is known to other processes, also where the URL names the application', async () => {
    const url = withParameters(test.url, { application_name: 'billing' });
    const database = await open(url);
    await until(async () => !(await database.isShared()));
    const other = await open(url);
    await until(() => database.isShared());
    await other.close();
    await until(async () => !(await database.isShared()));
    await database.close();
  });
});

describe('a server that takes no connection', () => {
  it('is reported with what the URL lacks', async () => {
    const server = createServer((client) => {
      const requests = PASSWORD_REQUESTS.values();
      client.on('error', () => undefined).on('data', () => client.write(requests.next().value ?? ''));
    });
    const opening = open(`postgres://me@127.0.0.1:${await listen(server)}/none`);
    await expect(opening).rejects.toThrow(/^The database does not answer: .* DATABASE_URL has none\.$/);
    server.close();
  });
});

describe('a pooler', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it('that gives a session to others after each transaction is refused', async () => {
    const pooler = await startPooler(test.url, 'transaction');
    await expect(open(pooler.url)).rejects.toThrow(
      /^DATABASE_URL leads to a connection pooler .* pool_mode=session/,
    );
    await pooler.close();
  });

  it('that leaves each connection its session is used, and statements behind it are cancelled', async () => {
    const pooler = await startPooler(test.url, 'session');
    const database = await open(pooler.url);
    const stop = new AbortController();
    const reads = { pool: database.pool, signal: stop.signal, cancelThrough: database.reserved.keys };
    const read = withCancellableClient(reads, (client) => client.query('select pg_sleep(3600)'));
    const isRead = `select from pg_stat_activity where query like '%pg_sleep(3600)' and state = 'active'`;
    await until(async () => (await test.pool.query(isRead)).rowCount === 1);
    stop.abort(new Error('No longer needed.'));
    await expect(read).rejects.toThrow('No longer needed.');
    expect((await test.pool.query(isRead)).rowCount).toBe(0);
    await database.close();
    await pooler.close();
  });
});
