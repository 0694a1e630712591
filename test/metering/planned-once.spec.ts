import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import { customerKeyOf } from '../../src/kernel/ids.js';
import { DAY, instant, plusMicros } from '../../src/kernel/instant.js';
import { LiveUsageReader } from '../../src/metering/live-usage-reader.js';
import { RequestedCounts } from '../../src/metering/requested-counts.js';
import { UsageReader } from '../../src/metering/usage-reader.js';
import { Database } from '../../src/platform/database/open-database.js';
import { createPool } from '../../src/platform/database/pg-pool.js';
import { aBasis, aCounter, aGauge, aRate } from '../support/builders/metering.js';
import { newOrg, openUsageDatabase, sent, type UsageDatabase } from './usage-database.js';

/** PostgreSQL plans the first five calls of a named statement in any case. */
const PLANNED_IN_ANY_CASE = 5;
const CALLS = 12;
const ORG = newOrg();

let usage: UsageDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  usage = await openUsageDatabase();
  await usage.ingest(
    ORG,
    Array.from({ length: 100 }, (_, n) => sent(n)),
  );
  await usage.test.pool.query('analyze');
  pool = createPool(usage.test.url, () => {}, 1);
});
afterAll(async () => {
  await pool.end();
  await usage.drop();
});

it('statements that count usage are planned once in a session, though each counts for one subscription', async () => {
  const database = new Database(pool, usage.test.url, async () => {});
  const requested = new RequestedCounts(database);
  const [reader, live] = [new UsageReader(database, requested), new LiveUsageReader(database, requested)];
  const { signal } = new AbortController();
  const nothing = { sealedUpTo: '0', level: '0', eventCount: 0, absentValues: 0, digest: '' };
  for (let call = 0; call < CALLS; call += 1) {
    const start = plusMicros(instant('2026-01-01'), BigInt(call) * DAY);
    const window = { start, end: instant('2026-02-01') };
    for (const definition of [aCounter(), aGauge({ eventType: 'delta' }), aRate()]) {
      const question = {
        ...{ customerKey: customerKeyOf(ORG, 'c-1'), definition, filters: [], window },
        basis: aBasis(window),
      };
      await reader.count({ ...question, org: ORG, sealedUpTo: 0n });
      await live.countLive(ORG, [question], signal);
      if (definition.metricType === 'counter')
        await live.countLive(ORG, [{ ...question, base: { end: start, ...nothing } }], signal);
    }
  }
  const { rows } = await pool.query<{ name: string; planned: number }>(
    `select name, custom_plans::int as planned from pg_prepared_statements
     where starts_with(name, 'usage-') and generic_plans + custom_plans >= $1 order by name`,
    [CALLS],
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'usage-count',
    'usage-count-live',
    'usage-count-live-from-base',
    'usage-rate-sum',
    'usage-readings',
  ]);
  expect(rows.filter(({ planned }) => planned > PLANNED_IN_ANY_CASE)).toEqual([]);
});
