import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addonFixtureOf } from '../support/addon-fixture.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';

let app: TestApp;
let shop: Shop;
let now = '2026-01-01T00:00:00Z';
let features: string[];
let subscription: string;
const CUSTOMERS = ['remembered', 'other'];

beforeAll(async () => {
  app = await startTestApp({ clockStart: now });
  shop = shopOf(app);
  features = [await feature('Exports'), await feature('Support')];
  for (const customer of CUSTOMERS) await shop.customer(customer);
});
afterAll(() => app.stop());

const feature = async (name: string): Promise<string> =>
  (await app.request.post('/api/features/').send({ feature_name: name }).expect(201)).body.feature_id;

/** Asks every question. @param asOf instant, for answers that are rebuilt from events and never remembered */
const answers = async (asOf?: string): Promise<unknown[]> => {
  const asked: unknown[] = [];
  for (const customer of CUSTOMERS) {
    for (const id of features) {
      const past = asOf === undefined ? '' : `&as_of=${asOf}`;
      const path = `/api/feature_access/?customer_id=${customer}&feature_id=${id}${past}`;
      const { status, body } = await app.request.get(path);
      asked.push({ status, body: { ...body, instance: undefined } });
    }
  }
  return asked;
};

/** Changes something after every question was asked, and compares the next answers with those rebuilt from events. */
async function afterwards(change: () => PromiseLike<unknown>): Promise<void> {
  const before = await answers();
  await change();
  const after = await answers();
  expect(after).toEqual(await answers(now));
  expect(after).not.toEqual(before);
}

const advance = (to: string) => {
  now = to;
  return app.advance(to);
};

describe('an answer on a feature that is remembered', () => {
  it.each<[string, () => PromiseLike<unknown>]>([
    [
      'a subscription',
      async () => {
        const plan = await shop.plan('with', { features: [features[0]] });
        ({ subscription_id: subscription } = await shop.subscribe('remembered', plan, now));
      },
    ],
    [
      'a subscription that starts later',
      async () => {
        const plan = await shop.plan('later', { features: [features[1]] });
        await shop.subscribe('other', plan, now, { auto_renew: false });
      },
    ],
    [
      'a switch of the plan',
      async () => {
        const plan = await shop.plan('without', { features: [] });
        const path = `/api/subscriptions/${subscription}/switch_plan/`;
        ({ subscription_id: subscription } = (
          await app.request.post(path).send({ switch_plan_id: plan }).expect(200)
        ).body);
      },
    ],
    [
      'the name of a customer',
      () => app.request.patch('/api/customers/remembered/').send({ customer_name: 'Another' }).expect(200),
    ],
    [
      'a second subscription',
      async () => shop.subscribe('remembered', await shop.plan('second', { features: [features[0]] }), now),
    ],
    [
      'the setting whether one subscription is enough',
      () => app.request.patch('/api/organization/').send({ feature_access_policy: 'all' }).expect(200),
    ],
    ['an instant at which a term ends', () => advance('2026-02-01T00:00:00Z')],
  ])('changes with %s', (_, change) => afterwards(change));

  it('changes at the instant at which a subscription starts', async () => {
    const plan = await shop.plan('starts', { features: [features[1]] });
    await shop.subscribe('other', plan, '2026-02-03T00:00:00Z');
    await advance('2026-02-02T23:59:59.999999Z');
    await afterwards(() => {
      now = '2026-02-03T00:00:00Z';
      // Before anything reacts to the instant with an event.
      return app.pool.query('update manual_clock set now = $1', [now]);
    });
  });

  it('changes with an add-on and its end', async () => {
    const fixture = addonFixtureOf(app);
    const plan = await shop.plan('base', { features: [] });
    await fixture.subscribed('add-on', plan, now);
    CUSTOMERS.push(fixture.served().customer);
    const addon = await fixture.addon({ features: [features[0]], billing_frequency: 'recurring' });
    await afterwards(() => fixture.attach(addon));
    await afterwards(() => fixture.cancel(addon));
  });

  it('changes with the deletion of the customer', async () => {
    await afterwards(() => app.request.post('/api/customers/other/delete/').send({}).expect(200));
  });
});
