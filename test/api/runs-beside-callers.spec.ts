import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { Scheduler } from '../../src/billing/scheduler/scheduler.js';
import { BackgroundWork } from '../../src/platform/concurrency/background-work.js';
import { inBackground } from '../../src/platform/concurrency/long-work.js';
import { Database } from '../../src/platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import { PATIENCE_MS, until } from '../support/until.js';

let app: TestApp;
const taken: PoolClient[] = [];
let isTaking = false;
beforeAll(async () => {
  app = await startTestApp();
  // A busy machine takes longer for what the test waits for than a caller for a connection.
  app.pool.options.connectionTimeoutMillis = PATIENCE_MS;
  // A service with a manual clock starts no scheduler.
  const background = app.service.app.get(BackgroundWork);
  background.register('scheduler', () => app.service.app.get(Scheduler, { strict: false }).start());
  background.start();
});
afterEach(() => release());
afterAll(() => app.stop());

/**
 * Takes every connection, including those that the pool has yet to open, and requests as many more: background work may
 * release some that it has.
 */
async function takeAll(): Promise<void> {
  isTaking = true;
  const { pool } = app;
  await until(() => {
    if (taken.length > 0 && pool.idleCount === 0 && pool.waitingCount >= pool.options.max) return true;
    pool.connect().then(
      (client) => (isTaking ? void taken.push(client) : client.release()),
      () => undefined,
    );
    return false;
  });
}

function release(): void {
  isTaking = false;
  for (const client of taken.splice(0)) client.release();
}

describe('while callers have every connection', () => {
  it('a due term is renewed, its invoice computed and issued, and the read models follow', async () => {
    const shop = shopOf(app);
    const plan = await shop.plan('Fee', { recurring_charges: [aChargeBody({ amount: 5 })] });
    await shop.customer('acme');
    await shop.subscribe('acme', plan, '2026-01-01');
    const issued = async (query: Pick<PoolClient, 'query'>): Promise<number> =>
      Number(
        (await query.query('select count(*) from invoices where invoice_number is not null')).rows[0].count,
      );
    const { length: before } = await shop.invoices();
    await takeAll();
    const [caller] = taken;
    expect(await issued(caller!)).toBe(before);

    await caller!.query(`update manual_clock set now = '2026-02-01T01:00:00Z'`);
    let isAnswered = false;
    const waiting = app.pool.query('select 1').finally(() => (isAnswered = true));
    await until(async () => (await issued(caller!)) === before + 1);
    expect(isAnswered).toBe(false);

    release();
    expect((await waiting).rowCount).toBe(1);
  });

  it('background work waits for no read that a request has under way on the same stream', async () => {
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const readOne = async (): Promise<void> => {
      for await (const _ of store.readStream('plan-of-nobody')) break;
    };
    await takeAll();
    const asked = readOne();
    await inBackground(readOne);
    release();
    await asked;
  });

  it('the reserve is for background work alone', async () => {
    await takeAll();
    const { reserved, pool } = app.service.app.get(Database);
    const before = reserved.background.totalCount;
    const { waitingCount } = pool;
    const asked = pool.query('select 1');
    expect(pool.waitingCount).toBe(waitingCount + 1);
    expect(reserved.background.totalCount).toBe(before);
    release();
    await asked;
  });
});
