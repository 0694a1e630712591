import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../../../src/migrations.js';
import { runMigrations } from '../../../src/platform/database/migrations.js';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

const COINS = { name: 'coins', sql: 'create table coins (value int); insert into coins values (1)' };
const NOTES = {
  name: 'notes',
  sql: 'create table notes (value int); insert into notes select value * 5 from coins',
};
const MORE = { name: 'more', sql: 'insert into coins values (2)' };

describe('migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const valuesOf = async (table: string): Promise<number[]> =>
    (await database.pool.query<{ value: number }>(`select value from ${table}`)).rows.map((row) => row.value);

  it('processes that start together apply each step once, in order', async () => {
    const pools = [1, 2, 3].map(() => createPool(database.url, () => {}));
    await Promise.all(pools.map((pool) => runMigrations(pool, [...MIGRATIONS, COINS, NOTES])));
    await Promise.all(pools.map((pool) => pool.end()));
    expect(await valuesOf('coins')).toEqual([1]);
    expect(await valuesOf('notes')).toEqual([5]);
  });

  it('a step that fails leaves nothing, and the steps before it stay', async () => {
    const broken = { name: 'broken', sql: 'create table half (value int); select 1 / 0' };
    await expect(runMigrations(database.pool, [...MIGRATIONS, COINS, NOTES, MORE, broken])).rejects.toThrow(
      /"broken" failed: division by zero/,
    );
    expect(await valuesOf('coins')).toEqual([1, 2]);
    expect((await database.pool.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }]);
  });

  it('refuses a step that was changed after it had been applied', async () => {
    const changed = { ...COINS, sql: 'create table coins (value bigint)' };
    await expect(runMigrations(database.pool, [...MIGRATIONS, changed, NOTES, MORE])).rejects.toThrow(
      /"coins" has changed/,
    );
  });

  it('an older build refuses a database that a newer build has used, and changes nothing', async () => {
    const ofThisBuild = { name: 'of-this-build', sql: 'create table never_made (value int)' };
    await expect(runMigrations(database.pool, [...MIGRATIONS, COINS, ofThisBuild])).rejects.toThrow(
      'A newer build of Recount has used this database: this build does not know its migrations more, notes.',
    );
    const made = await database.pool.query(`select to_regclass('never_made') as made`);
    expect(made.rows).toEqual([{ made: null }]);
  });
});
