import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { RequestedCounts } from '../../src/metering/requested-counts.js';
import { UsageReader } from '../../src/metering/usage-reader.js';
import { Database, isStatementTimeout } from '../../src/platform/database/open-database.js';
import { createPool } from '../../src/platform/database/pg-pool.js';
import { aBasis, aCounter } from '../support/builders/metering.js';
import { newOrg, openUsageDatabase, sent, type UsageDatabase } from './usage-database.js';

const WINDOW = { start: instant('2026-01-01'), end: instant('2026-02-01') };

let usage: UsageDatabase;
/** Connections whose statements end after a moment. */
let hasty: pg.Pool;
beforeAll(async () => {
  usage = await openUsageDatabase();
  hasty = createPool(usage.test.url, () => {}, 4, { settings: { statement_timeout: '200' } });
});
afterAll(async () => {
  await hasty.end();
  await usage.drop();
});

it('a count that takes too long fails alone, and those that were to share its statement succeed', async () => {
  const org = newOrg();
  const [slow, quick] = ['slow', 'quick'].map((id) => customerKeyOf(org, id));
  await usage.ingest(
    org,
    ['slow', 'quick'].map((customer_id) => sent(customer_id, { customer_id })),
  );
  const sealedUpTo = await usage.sealer.seal(org);
  const query = (statement: pg.QueryConfig) =>
    inspect(statement.values, { depth: 9 }).includes(slow!)
      ? hasty.query('select pg_sleep(600)')
      : usage.test.pool.query(statement);
  const database = new Database({ query } as unknown as pg.Pool, usage.test.url, async () => {});
  const reader = new UsageReader(database, new RequestedCounts(database));
  const asked = [quick, slow, quick].map((customerKey) =>
    reader.count({
      ...{ org, customerKey: customerKey!, sealedUpTo, window: WINDOW },
      ...{ definition: aCounter(), filters: [], basis: aBasis(WINDOW) },
    }),
  );
  const [first, late, last] = await Promise.allSettled(asked);
  expect([first, last]).toMatchObject([
    { status: 'fulfilled', value: { eventCount: 1 } },
    { status: 'fulfilled', value: { eventCount: 1 } },
  ]);
  expect(late!.status === 'rejected' && isStatementTimeout(late!.reason)).toBe(true);
});
