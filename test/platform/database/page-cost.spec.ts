import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomerRow } from '../../../src/customer/read-models.js';
import { namedId } from '../../../src/kernel/ids.js';
import { isAfterCursor, sliceOf } from '../../../src/platform/database/cursor.js';
import { rowsRead, statementsOf } from '../../metering/recorded-statements.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

const ORG = namedId('organization of the page cost spec');
const ROWS = 3_000;
const PAGE = 50;

describe('a page after a cursor', () => {
  let test: TestDatabase;
  /** Table of the live build, behind the view `customers`. */
  let table: string;
  beforeAll(async () => {
    test = await createTestDatabase('recount_with_read_models');
    await test.pool.query(
      `insert into customers (org, customer_key, sealed, created_at, updated_at, stream_revision)
        select $1::uuid, gen_random_uuid(), '', at, at, 0
        from (select n, '2026-01-01'::timestamptz + n * interval '1 hour' as at from generate_series(1, $2::int) n) n`,
      [ORG, ROWS],
    );
    const { rows } = await test.pool.query<{ name: string }>(
      String.raw`select relname as name from pg_class where relkind = 'r' and relname ~ '^customers_v\d+$'`,
    );
    table = rows[0]!.name;
    await test.pool.query(`analyze ${table}`);
  });
  afterAll(() => test.drop());

  it('reads its own rows, not those of the pages before it', async () => {
    let cursor: string | undefined;
    const seen = new Set<string>();
    let read = 0;
    for (let page = 0; page < ROWS / PAGE; page += 1) {
      const statements = await statementsOf(test.pool, async (database) => {
        let wanted = database.db
          .withTables<{ customers: CustomerRow }>()
          .selectFrom('customers')
          .selectAll()
          .where('org', '=', ORG)
          .orderBy('created_at', 'desc')
          .orderBy('customer_key')
          .limit(PAGE + 1);
        if (cursor !== undefined) wanted = wanted.where(isAfterCursor(cursor, 'created_at', 'customer_key'));
        const slice = sliceOf(await wanted.execute(), PAGE, (row) => ({
          at: row.created_at,
          id: row.customer_key,
        }));
        for (const row of slice.rows) seen.add(row.customer_key);
        cursor = slice.nextCursor;
      });
      if (page === ROWS / PAGE / 2) read = await rowsRead(test.pool, table, statements);
    }
    expect(seen.size).toBe(ROWS);
    expect(cursor).toBeUndefined();
    // One more row shows whether there is a next page, and the row of the cursor is read again.
    expect(read).toBe(PAGE + 2);
  });
});
