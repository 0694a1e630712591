import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readConfig } from '../../src/platform/config/read-config.js';
import { startFailure } from '../../src/start-failure.js';
import { startTestApp } from '../support/app.js';
import { listen } from '../support/listen.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf } from '../support/shop.js';

let database: TestDatabase;
const taken = createServer();
let PORT: string;
beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  PORT = String(await listen(taken));
});
afterAll(async () => {
  taken.close();
  await database.drop();
});

const eventCount = async (): Promise<number> =>
  (await database.pool.query<{ n: number }>('select count(*)::int as n from events')).rows[0]!.n;

it('a process that cannot have its port bills nobody', async () => {
  // Creates a term that has ended by the system clock and that no run has billed.
  const former = await startTestApp({ databaseUrl: database.url, clockStart: '2020-01-01T00:00:00Z' });
  const shop = shopOf(former);
  const plan = await shop.plan('monthly');
  await shop.customer('acme');
  await shop.subscribe('acme', plan, '2020-01-01');
  await former.stop();
  const before = await eventCount();

  const env = { PORT, CLOCK: 'system', CLOCK_START: '' };
  const error: unknown = await startTestApp({ databaseUrl: database.url, env }).catch((reason) => reason);
  expect(startFailure(error, readConfig({ PORT }))).toBe(
    `PORT ${PORT} of 127.0.0.1 is in use already. Stop the process that listens there, or set PORT to another port.`,
  );
  expect(await eventCount()).toBe(before);
});
