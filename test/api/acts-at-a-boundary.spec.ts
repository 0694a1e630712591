import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody, anAddonBody } from '../support/builders/catalog-bodies.js';
import { shopOf } from '../support/shop.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
});
afterAll(() => app.stop());

it('what falls due at the instant of an operation that bills nothing is billed after the grace', async () => {
  const shop = shopOf(app);
  const every = { reset_interval_unit: 'day', reset_interval_count: 3 };
  const plan = await shop.plan('Fee', { recurring_charges: [{ ...aChargeBody({ amount: 5 }), ...every }] });
  const addon = await app.request.post('/api/addons/').send(
    anAddonBody('Support', {
      recurring_charges: [aChargeBody({ amount: 7 })],
      invoice_when: 'invoice_on_subscription_end',
    }),
  );
  await shop.customer('acme');
  const { subscription_id: id } = await shop.subscribe('acme', plan, '2026-01-01');
  await app.advance('2026-01-04T00:00:00Z');
  await app.request
    .post(`/api/subscriptions/${id}/addons/attach/`)
    .send({ addon_id: addon.body.addon_id })
    .expect(201);

  await app.advance('2026-01-08T00:00:00Z');
  const issued = (await shop.invoices()).map(({ issue_date: at }: { issue_date: string }) => at);
  expect(issued).toEqual(['2026-01-07T00:30:00Z', '2026-01-04T00:30:00Z', '2026-01-01T00:00:00Z']);
});
