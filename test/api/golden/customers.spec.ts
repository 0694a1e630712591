import { afterAll, beforeAll, expect } from '@jest/globals';
import request from 'supertest';
import { anotherTenant } from '../../support/another-tenant.js';
import { fieldErrorsOf } from '../../support/answers.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { anAddonBody, perUnitTiers } from '../../support/builders/catalog-bodies.js';
import { shopOf, times, type Shop } from '../../support/shop.js';
import { verifyAll } from '../../support/verify-all.js';
import { golden } from './golden.js';

let app: TestApp;
let shop: Shop;

const get = async (path: string) => (await app.request.get(`/api/${path}`).expect(200)).body;
const create = (body: object) => app.request.post('/api/customers/').send(body);
const byUse = (metric_id: string) => ({
  recurring_charges: [],
  components: [
    {
      metric_id,
      tiers: perUnitTiers(),
    },
  ],
});

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-11T00:00:00Z' });
  shop = shopOf(app);
});
afterAll(async () => {
  expect(await verifyAll(app)).toBe(2);
  await app.stop();
});

golden('auth-bad-token', async ({ expect: wanted }) => {
  const { body } = await request(app.url).get('/api/plans/').set('Authorization', 'Token zzzz');
  expect(body).toMatchObject({ ...wanted });
});

golden('auth-access-endpoints', async ({ expect: wanted }) => {
  for (const path of ['/api/feature_access/', '/api/metric_access/']) {
    for (const headers of [{}, { 'X-API-KEY': 'zzzz' }]) {
      const answer = await request(app.url).get(path).set(headers);
      expect({ status: answer.status }).toEqual(wanted);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(answer.body).toMatchObject({
        type: expect.stringMatching(/#client-error$/),
        title: expect.stringMatching(/^(not_authenticated|authentication_failed)$/),
        detail: expect.any(String),
        ...wanted,
      });
    }
  }
});

golden('customer-duplicate-id', async ({ expect: wanted }) => {
  await create({ customer_id: 'a', email: 'a@example.com' }).expect(201);
  for (const repeat of [
    { customer_id: 'a', email: 'other@example.com' },
    { customer_id: 'other', email: 'a@example.com' },
  ]) {
    expect((await create(repeat)).body).toMatchObject({ ...wanted, title: 'duplicate_resource' });
  }
});

golden('customer-same-id-other-org', async ({ expect: wanted }) => {
  const theirs = await anotherTenant(app);
  const sent = { customer_id: 'test_customer_id', email: 'same@example.com' };
  await theirs.request.post('/api/customers/').send(sent).expect(201);
  const { status } = await create(sent);
  expect({ status }).toEqual(wanted);
});

golden('customer-required', async ({ expect: wanted }) => {
  const nothing = await create({});
  expect(nothing.body).toMatchObject({ ...wanted });
  expect(fieldErrorsOf(nothing.body)).toEqual({ customer_id: 'required' });
  const bad = await create({ customer_id: 'z', email: 'bad' });
  expect(bad.body).toMatchObject({ ...wanted });
  expect(fieldErrorsOf(bad.body)).toEqual({ email: 'invalid' });
});

golden('customer-total-due', async ({ expect: wanted }) => {
  await shop.customer('owing');
  await shop.subscribe('owing', await shop.plan('fee'), '2026-01-11');
  const [invoice, ...more] = await shop.invoices('?customer_id=owing');
  expect(more).toEqual([]);
  const path = `/api/invoices/${invoice.invoice_id}/`;
  await app.request.patch(path).send({ payment_status: 'paid' }).expect(200);
  const paid = (await app.request.get(path).expect(200)).body;
  expect([invoice.payment_status, paid.payment_status]).toEqual(['unpaid', 'paid']);
  const text = (amount: number) => amount.toFixed(2);
  expect({
    cost_due: [text(invoice.cost_due), text(paid.cost_due)],
    amount: text(paid.amount),
  }).toEqual(wanted);
});

golden('customer-delete', async ({ expect: wanted }) => {
  await shop.customer('leaving');
  const version = byUse(await shop.metric());
  const planId = await shop.plan('by use', { ...version, target_customer_ids: ['leaving'] });
  const { subscription_id: id } = await shop.subscribe('leaving', planId, '2026-01-01');
  const addon = anAddonBody('usage', {
    ...byUse(await shop.metric({ metric_name: 'exports', event_name: 'export' })),
    invoice_when: 'invoice_on_subscription_end',
    billing_frequency: 'recurring',
  });
  const { addon_id } = (await app.request.post('/api/addons/').send(addon).expect(201)).body;
  await app.request.post(`/api/subscriptions/${id}/addons/attach/`).send({ addon_id }).expect(201);
  await shop.use(...times(10, '2026-01-05T00:00:00Z').map((event) => ({ ...event, customer: 'leaving' })));

  const { status } = await app.request.post('/api/customers/leaving/delete/').send({});
  await app.advance('2026-01-11T01:00:00Z');

  const now = '2026-01-11T00:00:00Z';
  const ended = await get(`subscriptions/${id}/`);
  expect(ended).toMatchObject({ end_date: now, auto_renew: false, addons: [{ end_date: now }] });
  const [invoice, ...more] = await shop.invoices('?customer_id=leaving');
  expect(more).toEqual([]);
  expect({ status, billed: invoice.amount.toFixed(2) }).toEqual(wanted);
  const charged = invoice.line_items.filter(({ amount }: { amount: number }) => amount !== 0);
  expect(charged).toMatchObject([{ name: 'requests', quantity: 10 }]);
  const listed = await get('customers/');
  expect(listed.map((one: { customer_id: string }) => one.customer_id)).not.toContain('leaving');
  const [version1] = (await get(`plans/${planId}/`)).versions;
  expect(version1).toMatchObject({ target_customers: [], version: 'custom_version' });
});
