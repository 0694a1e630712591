import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addonFixtureOf, addonFee, type AddonFixture } from '../support/addon-fixture.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf, type Shop } from '../support/shop.js';
import { verifyAll } from '../support/verify-all.js';
import { perUnitTiers } from '../support/builders/catalog-bodies.js';

let app: TestApp;
let shop: Shop;
let fixture: AddonFixture;
let used: string;
let oneTime: string;
let recurring: string;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
  shop = shopOf(app);
  fixture = addonFixtureOf(app);
  used = await shop.metric({ metric_name: 'used' });
  const plan = await shop.plan('P');
  oneTime = await fixture.addon({ recurring_charges: addonFee() });
  recurring = await fixture.addon({ recurring_charges: addonFee(), billing_frequency: 'recurring' });
  for (const name of ['refused', 'ended']) await fixture.subscribed(name, plan, '2026-01-01');
  const { subscription_id: ended } = fixture.served().subscription;
  await app.request.post(`/api/subscriptions/${ended}/cancel/`).send({}).expect(200);
});
afterAll(async () => {
  await verifyAll(app);
  await app.stop();
});

describe('an add-on', () => {
  it('refuses what cannot be attached, and what cannot be named', async () => {
    fixture.resume('refused');
    await fixture.attach(oneTime);
    const title = async (body: object, status = 400) =>
      (await fixture.post('attach/', body).expect(status)).body.title;
    expect(await title({ addon_id: oneTime })).toBe('overlapping_plans');
    const kronor = await fixture.addon({ currency_code: 'SEK' });
    expect(await title({ addon_id: kronor })).toBe('invalid_operation');
    const refused = async (body: object) =>
      fieldErrorsOf((await fixture.post('attach/', body).expect(400)).body);
    expect(await refused({})).toEqual({ non_field_errors: 'required' });
    expect(await refused({ addon_id: `addon_${'a'.repeat(32)}` })).toEqual({ addon_id: 'does_not_exist' });
    expect(await refused({ addon_version_id: 'a'.repeat(32) })).toEqual({
      addon_version_id: 'does_not_exist',
    });
    expect(
      await refused({
        addon_id: recurring,
        addon_version_id: recurring.replace('addon_', ''),
      }),
    ).toEqual({
      non_field_errors: 'invalid',
      addon_version_id: 'does_not_exist',
    });
    expect(await refused({ addon_id: recurring, quantity: 0 })).toEqual({ quantity: 'min_value' });
    const unknown = await fixture.post(`addon_${'b'.repeat(32)}/cancel/`, {}).expect(404);
    expect(unknown.body.title).toBe('resource_not_found');
    fixture.turnTo({ subscription_id: `sub_${'c'.repeat(32)}` });
    expect(await title({ addon_id: oneTime }, 404)).toBe('resource_not_found');
    fixture.resume('ended');
    expect(await title({ addon_id: oneTime })).toBe('invalid_state');
  });

  it('is named as unknown before the end of its subscription, and refused for the end where it is known', async () => {
    await fixture.subscribed('over', await shop.plan('Over'), '2026-01-01');
    await fixture.attach(oneTime);
    const { subscription_id: id } = await fixture.shown();
    await app.request.post(`/api/subscriptions/${id}/cancel/`).send({}).expect(200);
    const cancelled = async (addon: string, status: number) =>
      (await fixture.post(`${addon}/cancel/`, {}).expect(status)).body.title;
    expect(await cancelled(`addon_${'b'.repeat(32)}`, 404)).toBe('resource_not_found');
    expect(await cancelled('notuuid', 404)).toBe('resource_not_found');
    expect(await cancelled(recurring, 404)).toBe('resource_not_found');
    expect(await cancelled(oneTime, 400)).toBe('invalid_state');
  });

  it('cancelled before its subscription starts is answered as the next read shows it', async () => {
    await fixture.subscribed('future', await shop.plan('Future'), '2026-03-01');
    await fixture.attach(oneTime);
    const { fully_billed, end_date } = await fixture.cancel(oneTime);
    expect({ fully_billed, end_date }).toEqual({ fully_billed: false, end_date: '2026-03-01T00:00:00Z' });
    expect((await fixture.shown()).addons).toMatchObject([{ fully_billed, end_date }]);
  });

  it('a metric that the plan or another add-on counts by is named, not counted twice (addon-metric-overlap)', async () => {
    const components = [
      {
        metric_id: used,
        tiers: perUnitTiers(),
      },
    ];
    const [first, second] = [await fixture.addon({ components }), await fixture.addon({ components })];
    const { customer } = fixture.resume('refused');
    const withM = await shop.plan('with M', { components });
    fixture.turnTo(await shop.subscribe(customer, withM, '2026-01-01'));
    const { body } = await fixture.post('attach/', { addon_id: first }).expect(400);
    expect(body).toMatchObject({ title: 'invalid_operation', detail: expect.stringContaining('used') });
    fixture.resume('refused');
    await fixture.attach(first);
    expect((await fixture.post('attach/', { addon_id: second }).expect(400)).body.title).toBe(
      'invalid_operation',
    );
  });
});
