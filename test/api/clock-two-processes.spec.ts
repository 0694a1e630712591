import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { BillingSweep } from '../../src/billing/scheduler/billing-sweep.js';
import { DueAccountsScan } from '../../src/billing/scheduler/due-accounts-scan.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

let database: TestDatabase;
let [fast, slow]: TestApp[] = [];
let shop: Shop;
beforeAll(async () => {
  database = await createTestDatabase('recount_with_read_models');
  const options = { databaseUrl: database.url, clockStart: '2026-01-01T00:00:00Z' };
  fast = await startTestApp(options);
  slow = await startTestApp(options);
  shop = shopOf(fast);
  const plan = await shop.plan('Flat', { recurring_charges: [aChargeBody({ amount: 5 })] });
  await shop.customer('acme');
  await shop.subscribe('acme', plan, '2026-01-01');
});
afterAll(async () => {
  await verifyAll(fast!);
  for (const app of [fast, slow]) await app?.stop();
  dropEventLog(database.url);
  await database.drop();
});

it.each([
  ['further than asked', '2026-03-02T00:00:00Z', '2026-02-10T00:00:00Z', ['2026-03-02T00:00:00Z']],
  [
    'less far than asked',
    '2026-05-02T00:00:00Z',
    '2026-06-02T00:00:00Z',
    ['2026-05-02T00:00:00Z', '2026-06-01T00:00:00Z', '2026-06-01T00:30:00Z', '2026-06-02T00:00:00Z'],
  ],
])(
  'an advance continues from the time to which another process has moved the clock, %s',
  async (_, moved, asked, swept) => {
    const due = slow!.service.app.get(DueAccountsScan, { strict: false });
    const nextAfter = due.nextAfter.bind(due);
    jest.spyOn(due, 'nextAfter').mockImplementationOnce(async (...args) => {
      const next = await nextAfter(...args);
      await fast!.advance(moved);
      return next;
    });
    const sweep = jest.spyOn(slow!.service.app.get(BillingSweep, { strict: false }), 'sweep');
    sweep.mockClear();

    const { body } = await slow!.request.post('/api/test_clock/advance/').send({ to: asked }).expect(200);

    const [, ...later] = sweep.mock.calls.map(([now]) => now.replace('.000000', ''));
    expect(later).toEqual(swept);
    expect(body.now).toBe(swept.at(-1));
    expect((await fast!.request.get('/api/test_clock/').expect(200)).body.now).toBe(body.now);
    const dates = (await shop.invoices()).map(({ issue_date: date }: { issue_date: string }) => date);
    expect(new Set(dates).size).toBe(dates.length);
  },
);
