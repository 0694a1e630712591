import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '../../src/kernel/errors.js';
import { BulkChangeDecisions } from '../../src/subscription/commands/bulk-change-decisions.js';
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

/** As above, but with a run of billing between the first delivery and the repeat: weeks are billed up to 22 January. */
describe('a request that is repeated after its account was billed', () => {
  let app: TestApp;
  let shop: Shop;
  const subscriptions = new Map<string, string>();
  const post = (customer: string, path: string, body: object) =>
    app.request
      .post(`/api/subscriptions/${subscriptions.get(customer)}/${path}/`)
      .set('Idempotency-Key', customer)
      .send(body);
  const END = { end_date: '2026-01-13T00:00:00Z' };
  const deletion = () =>
    app.request.post('/api/customers/deleted/delete/').set('Idempotency-Key', 'deleted').send({});
  const cancellation = () =>
    app.request
      .post('/api/subscriptions/cancel/?customer_id=filtered')
      .set('Idempotency-Key', 'by-filter')
      .send({});
  const endOf = async (customer: string) => {
    const path = `/api/subscriptions/${subscriptions.get(customer)}/`;
    return (await app.request.get(path).expect(200)).body.end_date;
  };
  const basesOf = async (customer: string): Promise<number[]> => {
    const invoices: { line_items: { base: number }[] }[] = await shop.invoices(`?customer_id=${customer}`);
    const lines = invoices.flatMap(({ line_items: items }) => items);
    return lines
      .map(({ base }) => base)
      .filter(Boolean)
      .sort((a, b) => a - b);
  };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const week = { reset_interval_unit: 'week', reset_interval_count: 1 };
    const invoiced = { invoicing_interval_unit: 'week', invoicing_interval_count: 1 };
    const component = aComponentBody(await shop.metric(), { tiers: perUnitTiers(), ...week, ...invoiced });
    const fees = [aChargeBody({ amount: 7, ...week })];
    const planId = await shop.plan('Weekly', { recurring_charges: fees, components: [component] });
    for (const customer of ['cancelled', 'ended', 'deleted', 'filtered']) {
      await shop.customer(customer);
      subscriptions.set(customer, (await shop.subscribe(customer, planId, '2026-01-01')).subscription_id);
    }
    await app.advance('2026-01-11T00:00:00Z');
    await post('cancelled', 'cancel', {}).set('If-Match', '"99999"').expect(412);
    await post('ended', 'update', END).set('If-Match', '"99999"').expect(412);
    await deletion().set('If-Match', '"99999"').expect(412);
    const decisions = app.service.app.get(BulkChangeDecisions, { strict: false });
    jest
      .spyOn(decisions, 'dryRun')
      .mockRejectedValueOnce(new DomainError('unavailable', 'The store is down.'));
    await cancellation().expect(503);
    jest.restoreAllMocks();
    await app.advance('2026-01-12T12:00:00Z');
    await shop.use({ customer: 'cancelled', at: '2026-01-12T00:00:00Z' });
    await app.advance('2026-01-16T00:00:00Z');
  });
  afterAll(async () => {
    await verifyAll(app);
    await app.stop();
  });

  it('ends no subscription before what was billed, so every charge is settled', async () => {
    await post('cancelled', 'cancel', {}).expect(200);
    expect(await endOf('cancelled')).toBe('2026-01-15T00:30:00Z');
    expect(await basesOf('cancelled')).toEqual([-7, 0.02, 1, 7, 7, 7]);
  });

  it.each([
    ['deleted', deletion],
    ['filtered', cancellation],
  ])('nor with the others of its customer: %s', async (customer, ending) => {
    await ending().expect(200);
    expect(await endOf(customer)).toBe('2026-01-15T00:30:00Z');
    expect(await basesOf(customer)).toEqual([-7, 0.02, 7, 7, 7]);
  });

  it('is refused where the end that it sets has passed', async () => {
    const { body } = await post('ended', 'update', END).expect(400);
    expect(body.detail).toBe('The end is in the past. Give a later one.');
  });
});
