import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { schemaSql } from '../../support/schema-sql.js';

const FILE = path.resolve(import.meta.dirname, '../../../docs/schema.sql');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('docs/schema.sql is the schema that the migrations make (npm run docs:schema)', async () => {
  const schema = await schemaSql(database.pool);
  if (process.env['WRITE_SCHEMA'] === 'true') writeFileSync(FILE, schema);
  expect(readFileSync(FILE, 'utf8')).toBe(schema);
});
