import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import {
  aChargeBody,
  aComponentBody,
  anAddonBody,
  perUnitTiers,
} from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';

/**
 * A request with an Idempotency-Key fails before it is decided, the subscription is changed, and the request is
 * repeated. It has the time of its first delivery, and is decided at the time of the change, which is later.
 */
describe('a request that is repeated after another change of the subscription', () => {
  let app: TestApp;
  let shop: Shop;
  let metric: string;
  let planId: string;
  let dearer: string;
  let addonId: string;
  const subscriptions = new Map<string, string>();
  const FEES = [aChargeBody({ amount: 31 })];

  const subscriptionOf = (customer: string) => subscriptions.get(customer)!;
  const repeated = (customer: string, path: string, body: object) => {
    const url = `/api/subscriptions/${subscriptionOf(customer)}/${path}/`;
    return app.request
      .post(url)
      .set('Idempotency-Key', `${customer} ${path}`.replaceAll(' ', '-'))
      .send(body);
  };
  const linesOf = async (customer: string) => {
    const [newest] = await shop.invoices(`?customer_id=${customer}`);
    const { issue_date: issued, line_items: lines } = newest;
    return { issued, bases: lines.map(({ base }: { base: number }) => base).filter(Boolean) };
  };

  const ACTS = {
    cancelled: ['cancel', () => ({})],
    switched: ['switch_plan', () => ({ switch_plan_id: dearer })],
    attached: ['addons/attach', () => ({ addon_id: addonId })],
    bought: ['components/METRIC/change_prepaid_units', () => ({ units: 62 })],
  } as const;
  const pathOf = (customer: keyof typeof ACTS) => ACTS[customer][0].replace('METRIC', metric);

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    metric = await shop.metric();
    const prepaid = { tiers: perUnitTiers(), prepaid_charge: { units: 31, charge_behavior: 'prorate' } };
    const components = [aComponentBody(metric, prepaid)];
    planId = await shop.plan('Basic', { recurring_charges: FEES, components });
    dearer = await shop.plan('Dear', { recurring_charges: [aChargeBody({ amount: 62 })], components: [] });
    const addon = anAddonBody('Support', { recurring_charges: FEES });
    addonId = (await app.request.post('/api/addons/').send(addon).expect(201)).body.addon_id;
    for (const customer of Object.keys(ACTS)) {
      await shop.customer(customer);
      const { subscription_id: id } = await shop.subscribe(customer, planId, '2026-01-01');
      subscriptions.set(customer, id);
    }
    await app.advance('2026-01-11T00:00:00Z');
    for (const [customer, [, body]] of Object.entries(ACTS)) {
      const path = pathOf(customer as keyof typeof ACTS);
      await repeated(customer, path, body()).set('If-Match', '"99999"').expect(412);
    }
    await app.advance('2026-01-16T12:00:00Z');
    for (const customer of Object.keys(ACTS)) {
      const url = `/api/subscriptions/${subscriptionOf(customer)}/update/`;
      await app.request
        .post(url)
        .send({ metadata: { changed: true } })
        .expect(200);
    }
    await app.advance('2026-01-20T00:00:00Z');
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  it.each([
    ['cancelled', [15.5, -31, -15.5]],
    ['switched', [15.5, -31, -15.5, 31]],
    ['attached', [15.5]],
    ['bought', [15.5]],
  ] as const)('is invoiced as it was decided: %s', async (customer, bases) => {
    const [, body] = ACTS[customer];
    const { status } = await repeated(customer, pathOf(customer), body());
    expect([200, 201]).toContain(status);
    expect(await linesOf(customer)).toEqual({ issued: '2026-01-20T00:00:00Z', bases });
  });
});
