import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { instantFromPg } from '../../../src/platform/database/pg-pool.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

describe('values from PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const read = async (expression: string): Promise<unknown> =>
    (await database.pool.query<{ value: unknown }>(`select ${expression} as value`)).rows[0]?.value;

  it.each([
    [`'2026-01-31T23:59:59.123456+02:00'::timestamptz`, '2026-01-31T21:59:59.123456Z'],
    [`'2026-01-31'::timestamptz`, '2026-01-31T00:00:00.000000Z'],
    [`'0001-01-01T00:00:00.000001Z'::timestamptz`, '0001-01-01T00:00:00.000001Z'],
    [`array['2026-01-31T00:00:00.5Z'::timestamptz, null]`, ['2026-01-31T00:00:00.500000Z', null]],
  ])('%s is an instant with its microseconds', async (expression, expected) => {
    expect(await read(expression)).toEqual(expected);
  });

  it.each([
    ['9223372036854775807::int8', '9223372036854775807'],
    ['12345678901234567890.123456789::numeric', '12345678901234567890.123456789'],
    ['array[0.1::numeric, null]', ['0.1', null]],
    [`'2026-01-31'::date`, '2026-01-31'],
    [`'2026-01-31 10:00'::timestamp`, '2026-01-31 10:00:00'],
  ])('%s keeps every digit as text', async (expression, expected) => {
    expect(await read(expression)).toEqual(expected);
  });

  it('reads an instant whatever zone a session shows it in', () => {
    expect(instantFromPg('2026-01-31 05:30:00+05:30')).toBe('2026-01-31T00:00:00.000000Z');
    expect(instantFromPg('2026-01-30 16:00:00.25-08')).toBe('2026-01-31T00:00:00.250000Z');
    expect(() => instantFromPg('infinity')).toThrow(RangeError);
  });

  it('other connections of the process keep the parsers they had', async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    const { rows } = await client.query<{ value: unknown }>('select now() as value');
    await client.end();
    expect(rows[0]!.value).toBeInstanceOf(Date);
  });
});
