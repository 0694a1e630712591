import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

describe('POST /api/test_clock/advance/', () => {
  it('stops at the boundaries of what was answered before, also while read models are behind', async () => {
    const shop = shopOf(app);
    const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
    await shop.customer('acme');
    const blocker = await app.pool.connect();
    await blocker.query('set idle_in_transaction_session_timeout = 0');
    await blocker.query('begin');
    await blocker.query(`select from projection_checkpoints where projection = 'due-billing' for update`);
    await shop.subscribe('acme', plan, '2026-01-01');
    const advanced = app.advance('2026-03-02T00:00:00Z');
    await sleep(300);
    await blocker.query('commit');
    blocker.release();
    await advanced;
    const dates = (await shop.invoices()).map(({ issue_date: date }: { issue_date: string }) => date);
    expect(dates.toReversed()).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-02-01T00:30:00Z',
      '2026-03-01T00:30:00Z',
    ]);
  });

  it('takes years that leave room on both sides, at whose end everything still works', async () => {
    const { request } = await anotherTenant(app);
    const advance = (to: string) => request.post('/api/test_clock/advance/').send({ to });
    for (const [to, code] of [
      ['9999-12-31T23:59:59.999999Z', 'max_value'],
      ['9000-01-01', 'max_value'],
      ['1899-12-31', 'min_value'],
      ['soon', 'invalid'],
    ] as const) {
      expect(fieldErrorsOf((await advance(to).expect(400)).body)).toEqual({ to: code });
    }
    await advance('8999-12-31T23:59:59.999999Z').expect(200);
    const shop = shopOf({ ...app, request });
    await shop.customer('last');
    await shop.subscribe('last', await shop.plan('Last'), '8999-12-31');
    await shop.use({ customer: 'last', at: '8999-12-31' });
    await request.get('/api/customers/last/draft_invoice/').expect(200);
    await request.get('/api/invoices/').expect(200);
    await request.get('/api/usage/?customer_id=last').expect(200);
  });
});
