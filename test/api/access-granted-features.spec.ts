import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { anAddonBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';

let app: TestApp;
let shop: Shop;
let withExports: string;
let without: string;
let support: string;

interface Granted {
  readonly feature: { readonly feature_id: string; readonly feature_name: string };
  readonly access: boolean;
  readonly access_per_subscription: readonly { readonly access: boolean }[];
}

const feature = async (name: string): Promise<string> =>
  (await app.request.post('/api/features/').send({ feature_name: name }).expect(201)).body.feature_id;
const featuresOf = async (customer: string, query = ''): Promise<Granted[]> =>
  (await app.request.get(`/api/customers/${customer}/features/${query}`).expect(200)).body.features;
const namesOf = async (customer: string, query = '') =>
  (await featuresOf(customer, query)).map(({ feature: { feature_name: name } }) => name);

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-10T00:00:00Z' });
  shop = shopOf(app);
  support = await feature('Support');
  withExports = await shop.plan('With exports', { features: [await feature('Exports')] });
  without = await shop.plan('Without', { features: [] });
});
afterAll(() => app.stop());

describe('GET /api/customers/{customer_id}/features/', () => {
  it('lists what plans and add-ons grant, by name, as the access to each is answered', async () => {
    await shop.customer('acme');
    const { subscription_id: id } = await shop.subscribe('acme', withExports, '2026-01-01');
    const { body: addon } = await app.request
      .post('/api/addons/')
      .send(anAddonBody('Help desk', { features: [support] }))
      .expect(201);
    await app.request
      .post(`/api/subscriptions/${id}/addons/attach/`)
      .send({ addon_id: addon.addon_id })
      .expect(201);
    expect(await namesOf('acme')).toEqual(['Exports', 'Support']);
    for (const granted of await featuresOf('acme')) {
      const query = `customer_id=acme&feature_id=${granted.feature.feature_id}`;
      const { body } = await app.request.get(`/api/feature_access/?${query}`).expect(200);
      const { customer: _customer, ...access } = body;
      expect(granted).toEqual(access);
    }
  });

  it('has nothing before the first subscription, and nothing of one that has ended', async () => {
    await shop.customer('brief');
    expect(await featuresOf('brief')).toEqual([]);
    const { subscription_id: id } = await shop.subscribe('brief', withExports, '2026-01-01');
    expect(await namesOf('brief')).toEqual(['Exports']);
    await app.request.post(`/api/subscriptions/${id}/cancel/`).send({}).expect(200);
    expect(await featuresOf('brief')).toEqual([]);
  });

  it('says that access needs every subscription where the organization wants all', async () => {
    await shop.customer('both');
    await shop.subscribe('both', withExports, '2026-01-01');
    await shop.subscribe('both', without, '2026-01-01');
    const policy = (feature_access_policy: 'any' | 'all') =>
      app.request.patch('/api/organization/').send({ feature_access_policy }).expect(200);
    expect(await featuresOf('both')).toMatchObject([{ access: true }]);
    await policy('all');
    expect(await featuresOf('both')).toMatchObject([{ access: false }]);
    await policy('any');
  });

  it('is answered as of a moment', async () => {
    await shop.customer('past');
    await shop.subscribe('past', without, '2026-01-01');
    await app.advance('2026-01-12T00:00:00Z');
    await shop.subscribe('past', withExports, '2026-01-12');
    expect(await namesOf('past', '?as_of=2026-01-11T00:00:00Z')).toEqual([]);
    expect(await namesOf('past', '?as_of=2026-01-12T00:00:00Z')).toEqual(['Exports']);
  });

  it('knows no customer that does not exist, nor one of another tenant', async () => {
    const { body } = await app.request.get('/api/customers/nobody/features/').expect(404);
    expect(body.title).toBe('not_found');
    const other = await anotherTenant(app);
    await other.request.get('/api/customers/acme/features/').expect(404);
  });
});
