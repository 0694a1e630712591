import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import { until } from '../support/until.js';

/** The count of a preview waits for a lock that the test holds. */
describe('a preview whose client leaves', () => {
  let app: TestApp;
  let subscription: string;
  let invoice: string;
  let blocker: PoolClient;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    const shop = shopOf(app);
    const tiers = perUnitTiers();
    const components = [aComponentBody(await shop.metric(), { tiers })];
    const plan = await shop.plan('Metered', { components });
    await shop.customer('acme');
    subscription = (await shop.subscribe('acme', plan, '2026-01-01')).subscription_id;
    invoice = (await shop.invoices())[0].invoice_id;
    await app.advance('2026-01-10T00:00:00Z');
  });
  beforeEach(async () => {
    blocker = await app.pool.connect();
    await blocker.query('set idle_in_transaction_session_timeout = 0');
    await blocker.query('begin');
    await blocker.query('lock table usage_events in access exclusive mode');
  });
  afterEach(async () => {
    await blocker.query('rollback');
    blocker.release(true);
  });
  afterAll(() => app.stop());

  const counting = async (): Promise<number> => {
    const { rows } = await app.pool.query<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return Number(rows[0]!.count);
  };

  it.each([
    ['of a cancellation', () => `/api/subscriptions/${subscription}/cancel/?preview=true`],
    ['of a change by filter', () => '/api/subscriptions/cancel/?preview=true&customer_id=acme'],
    ['of a void', () => `/api/invoices/${invoice}/void/?preview=true`],
  ])('%s ends in the database', async (_, path) => {
    const leaving = new AbortController();
    const body = { usage_behavior: 'bill_full', invoicing_behavior: 'invoice_now' };
    const asked = fetch(new URL(path(), app.url), {
      method: 'POST',
      headers: { 'X-API-KEY': app.key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    const answered = asked.then(
      async (response) => `${response.status} ${await response.text()}`,
      () => 'left',
    );
    await until(async () => (await counting()) === 1);
    leaving.abort();
    expect(await answered).toBe('left');
    const end = Date.now() + 10_000;
    await until(async () => (await counting()) === 0 || Date.now() > end);
    expect(await counting()).toBe(0);
  });
});
