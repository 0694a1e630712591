import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';

const PER_UNIT = perUnitTiers();

/** Tests transferred usage: it precedes the switch and counts in a window that begins before the new subscription does. */
describe('usage that switches transferred', () => {
  let app: TestApp;
  let shop: Shop;
  let last: string;

  interface Listed {
    readonly state: string;
    readonly windows: readonly { readonly subscription_id: string }[];
  }

  const pages = async (limit: number): Promise<Listed[]> => {
    const rows: Listed[] = [];
    for (let path: string | undefined = `/api/events/?limit=${limit}`; path !== undefined;) {
      const { body, headers }: Response = await app.request.get(path).expect(200);
      rows.push(...(body as Listed[]));
      path = /\/api\/events[^>]+/.exec((headers['link'] as string | undefined) ?? '')?.[0];
    }
    return rows;
  };

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
    const metric = await shop.metric();
    const plan = (name: string) =>
      shop.plan(name, { recurring_charges: [], components: [aComponentBody(metric, { tiers: PER_UNIT })] });
    await shop.customer('acme');
    const first = await shop.subscribe('acme', await plan('First'), '2026-01-01');
    const days = [3, 4, 5, 6, 25, 26].map((day) => `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`);
    await app.advance('2026-01-20T00:00:00Z');
    await shop.use(...days.slice(0, 4).map((at) => ({ at })));
    last = first.subscription_id;
    for (const name of ['Second', 'Third']) {
      const { body } = await app.request
        .post(`/api/subscriptions/${last}/switch_plan/`)
        .send({ switch_plan_id: await plan(name), usage_behavior: 'transfer_to_new_subscription' })
        .expect(200);
      last = body.subscription_id;
    }
    await app.advance('2026-01-27T00:00:00Z');
    await shop.use(...days.slice(4).map((at) => ({ at })));
    await app.advance('2026-02-05T00:00:00Z');
  });
  afterAll(() => app.stop());

  it('is listed alike on pages of every size', async () => {
    const all = await pages(1000);
    expect(all.map(({ state, windows }) => [state, windows.map((one) => one.subscription_id)])).toEqual(
      Array.from({ length: 6 }, () => ['counted', [last]]),
    );
    for (const limit of [1, 2, 3]) expect(await pages(limit)).toEqual(all);
  });

  it('is shown in every range that it came in', async () => {
    const usage = async (range: string) =>
      (await app.request.get(`/api/usage/?customer_id=acme&${range}`).expect(200)).body;
    const [window, ...others] = await usage(
      'range_start=2026-01-01T00:00:00Z&range_end=2026-02-01T00:00:00Z',
    );
    expect(others).toEqual([]);
    expect(window).toMatchObject({ subscription_id: last, start_date: '2026-01-01T00:00:00Z' });
    expect(await usage('range_start=2026-01-03T00:00:00Z&range_end=2026-01-04T00:00:00Z')).toEqual([window]);
  });
});
