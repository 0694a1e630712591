import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aChargeBody } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';

interface Version {
  readonly version_id: string;
  readonly version: number | string;
  readonly status: string;
  readonly active_from: string | null;
  readonly active_to: string | null;
}

const UNKNOWN = 'plan_version_99999999000040008000000000000001';
const IN_10_DAYS = '2026-01-21T00:00:00Z';

describe('plan versions', () => {
  let app: TestApp;
  let shop: Shop;
  const change = (path: string, body: object = {}) =>
    app.request.post(`/api/plan_versions/${path}/`).send(body);
  const patch = (versionId: string, body: object) =>
    app.request.patch(`/api/plan_versions/${versionId}/`).send(body);
  const publish = async (planId: string, body: object = {}): Promise<Version> => {
    const charges = { currency_code: 'USD', recurring_charges: [aChargeBody({ amount: 40 })] };
    return (await app.request.post('/api/plan_versions/').send({ plan_id: planId, ...charges, ...body }))
      .body;
  };
  const plan = async (planId: string) => (await app.request.get(`/api/plans/${planId}/`).expect(200)).body;
  const versionsOf = async (planId: string): Promise<Version[]> => (await plan(planId)).versions;
  const statuses = async (planId: string) =>
    (await versionsOf(planId)).map(({ version, status }) => [version, status]);
  const listed = async (query: string): Promise<string[]> =>
    (await app.request.get(`/api/plans/?${query}`).expect(200)).body.map(
      (one: { plan_name: string }) => one.plan_name,
    );

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-10T00:00:00Z' });
    shop = shopOf(app);
    for (const customer of ['c', 'n', 'third']) await shop.customer(customer);
  });
  afterAll(() => app.stop());

  it('are published without a start, with the next number, and read back as answered', async () => {
    const planId = await shop.plan('Draft');
    const sent = await app.request
      .post('/api/plan_versions/')
      .send({ plan_id: planId, currency_code: 'USD', localized_name: 'Szkic', day_anchor: 3 })
      .expect(201);
    expect(sent.body).toMatchObject({
      version_id: expect.stringMatching(/^plan_version_[0-9a-f]{32}$/),
      version: 2,
      status: 'not_started',
      active_from: null,
      active_to: null,
      localized_name: 'Szkic',
      day_anchor: 3,
      month_anchor: null,
      plan_name: 'Draft',
    });
    const shown = await plan(planId);
    expect(shown.versions[1]).toEqual(sent.body);
    expect(shown).toMatchObject({ num_versions: 2, active_version: 1, display_version: { version: 1 } });
    expect(await publish(planId, { version: 7, currency_code: 'EUR' })).toMatchObject({ version: 7 });
    expect(await publish(planId)).toMatchObject({ version: 8 });
    expect(await publish(planId, { version: 7 })).toMatchObject({ version: 7 });
    expect(await publish(planId, { version: 7 })).toMatchObject({ title: 'duplicate_resource', status: 400 });
  });

  it('never get the number that a version had before it was for named customers', async () => {
    const planId = await shop.plan('Renumbered');
    const second = await publish(planId);
    await change(`${second.version_id}/target_customers/add`, { customer_ids: ['n'] }).expect(200);
    expect(await publish(planId)).toMatchObject({ version: 3 });
    expect((await change(`${second.version_id}/make_public`).expect(200)).body).toMatchObject({ version: 4 });
  });

  it('name every fault of what is asked for, and nothing is published', async () => {
    const planId = await shop.plan('Faults');
    const body = await publish(planId, {
      plan_id: UNKNOWN.replace('version_', ''),
      make_active: 'perhaps',
      make_active_type: 'at once',
      components: [{ metric_id: UNKNOWN.slice(13), tiers: [{ type: 'free', range_start: 1 }] }],
      features: ['none'],
    });
    expect(fieldErrorsOf(body as object)).toEqual({
      plan_id: 'does_not_exist',
      make_active: 'invalid',
      make_active_type: 'invalid_choice',
      'components.0.metric_id': 'does_not_exist',
      'components.0.tiers.0.range_start': 'invalid',
      'features.0': 'does_not_exist',
    });
    expect(fieldErrorsOf((await publish(planId, { plan_id: undefined })) as object)).toEqual({
      plan_id: 'required',
    });
    expect(await versionsOf(planId)).toHaveLength(1);
  });

  it('made active take the place of all others in their currency, replaced on renewal', async () => {
    const planId = await shop.plan('Replaces');
    await publish(planId, { currency_code: 'EUR', make_active: true });
    const later = await publish(planId);
    await patch(later.version_id, { active_from: '2026-02-01' }).expect(200);
    const third = await publish(planId, { make_active: true });
    expect(third).toMatchObject({ version: 4, status: 'active', active_from: '2026-01-10T00:00:00Z' });
    expect(await statuses(planId)).toEqual([
      [1, 'inactive'],
      [2, 'active'],
      [3, 'inactive'],
      [4, 'active'],
    ]);
    expect(await plan(planId)).toMatchObject({ active_version: 4, num_versions: 4 });
  });

  it('that ended are retiring or grandfathered while somebody runs on them', async () => {
    const planId = await shop.plan('Ended');
    await shop.subscribe('c', planId, '2026-01-10');
    const [first] = await versionsOf(planId);
    expect(await publish(planId, { make_active: true })).toMatchObject({ status: 'active' });
    expect((await versionsOf(planId))[0]).toMatchObject({
      status: 'retiring',
      active_to: '2026-01-10T00:00:00Z',
    });
    const own = await change(`${first!.version_id}/replacement/set`, { replace_with: first!.version_id });
    expect(own.status).toBe(200);
    expect(own.body).toMatchObject({ version_id: first!.version_id, status: 'grandfathered' });

    const other = await shop.plan('Ended openly');
    await shop.subscribe('c', other, '2026-01-10');
    await publish(other, { make_active: true, make_active_type: 'grandfather' });
    expect(await statuses(other)).toEqual([
      [1, 'grandfathered'],
      [2, 'active'],
    ]);
  });

  it('change their window and localized name, and never start after their end', async () => {
    const planId = await shop.plan('Window');
    const [{ version_id: versionId }] = (await versionsOf(planId)) as [Version];
    await patch(versionId, { active_to: '2026-01-13' }).expect(200);
    const refused = await patch(versionId, { active_from: '2026-01-20' }).expect(400);
    expect(fieldErrorsOf(refused.body)).toEqual({ non_field_errors: 'invalid' });
    await patch(versionId, { active_to: '2026-01-20' }).expect(200);
    const later = await patch(versionId, { active_from: '2026-01-13', localized_name: 'Okno' }).expect(200);
    expect(later.body).toMatchObject({
      status: 'not_started',
      active_from: '2026-01-13T00:00:00Z',
      active_to: '2026-01-20T00:00:00Z',
      localized_name: 'Okno',
    });
    expect((await versionsOf(planId))[0]).toEqual(later.body);
    expect(await listed('version_status=active')).not.toContain('Window');
    expect(await listed('version_status=not_started')).toContain('Window');

    const open = await patch(versionId, { active_to: null, localized_name: null }).expect(200);
    expect(open.body).toMatchObject({ active_to: null, localized_name: null });
    const drafted = await patch(versionId, { active_from: null }).expect(200);
    expect(drafted.body).toMatchObject({ status: 'not_started', active_from: null });
    const price = await patch(versionId, { recurring_charges: [], currency_code: 'EUR' }).expect(200);
    expect(price.body).toEqual(drafted.body);
    const wrong = await patch(versionId, { active_from: 'soon' }).expect(400);
    expect(fieldErrorsOf(wrong.body)).toEqual({ active_from: 'invalid' });
  });

  it('get targets unless a subscriber would be shut out (target-customer-add-with-subscribers)', async () => {
    const planId = await shop.plan('Targets');
    await shop.subscribe('c', planId, '2026-01-10');
    const [{ version_id: versionId }] = (await versionsOf(planId)) as [Version];
    const shutOut = await change(`${versionId}/target_customers/add`, { customer_ids: ['n'] }).expect(400);
    expect(shutOut.body.title).toBe('invalid_operation');
    const both = await change(`${versionId}/target_customers/add`, { customer_ids: ['c', 'n'] }).expect(200);
    expect(both.body).toMatchObject({
      version: 'custom_version',
      target_customers: [{ customer_id: 'c' }, { customer_id: 'n' }],
    });
    expect(await plan(planId)).toMatchObject({ num_versions: 0, active_version: 0 });
    expect(await listed('version_custom_type=custom_only')).toEqual(['Targets']);
    const [subscription] = (await app.request.get(`/api/subscriptions/?plan_id=${planId}`).expect(200)).body;
    expect(subscription.billing_plan.version).toBe(0);

    const unknown = await change(`${versionId}/target_customers/add`, { customer_ids: ['c', 'who'] });
    expect([unknown.status, fieldErrorsOf(unknown.body)]).toEqual([
      400,
      { 'customer_ids.1': 'does_not_exist' },
    ]);
    await change(`${versionId}/target_customers/remove`, { customer_ids: ['c'] }).expect(400);
    const one = await change(`${versionId}/target_customers/remove`, { customer_ids: ['n'] }).expect(200);
    expect(one.body.target_customers).toMatchObject([{ customer_id: 'c' }]);
  });

  it('keep their last target until they are made public (version-make-public)', async () => {
    const planId = await shop.plan('Custom', { target_customer_ids: ['n'] });
    const [{ version_id: versionId }] = (await versionsOf(planId)) as [Version];
    expect(await listed('version_custom_type=public_only')).not.toContain('Custom');
    const last = await change(`${versionId}/target_customers/remove`, { customer_ids: ['n'] }).expect(400);
    expect(last.body.title).toBe('invalid_operation');
    await shop.subscribe('n', planId, '2026-01-10');
    const opened = await change(`${versionId}/make_public`).expect(200);
    expect(opened.body).toMatchObject({ version: 1, target_customers: [] });
    expect((await change(`${versionId}/make_public`).expect(200)).body).toEqual(opened.body);
    expect(await listed('version_custom_type=public_only')).toContain('Custom');
    await shop.subscribe('third', planId, '2026-01-10');
  });

  it('have numbers that read models can store', async () => {
    const planId = await shop.plan('Numbers', { version: 2 ** 31 - 1 });
    expect(await publish(planId)).toMatchObject({ title: 'invalid_operation', status: 400 });
    const custom = await publish(planId, { target_customer_ids: ['n'] });
    const opened = await change(`${custom.version_id}/make_public`).expect(400);
    expect(opened.body.title).toBe('invalid_operation');
    expect(await publish(planId, { version: 5 })).toMatchObject({ version: 5 });
    const numbers = (await versionsOf(planId)).map(({ version }) => version);
    expect(numbers).toEqual([2 ** 31 - 1, 'custom_version', 5]);
  });

  it('are replaced in their own currency and plan only', async () => {
    const planId = await shop.plan('Replacement');
    const [{ version_id: versionId }] = (await versionsOf(planId)) as [Version];
    const set = (body: object) => change(`${versionId}/replacement/set`, body);
    const euros = await publish(planId, { currency_code: 'EUR' });
    expect((await set({ replace_with: euros.version_id }).expect(400)).body.title).toBe('invalid_operation');
    const [elsewhere] = await versionsOf(await shop.plan('Elsewhere'));
    for (const id of [UNKNOWN, elsewhere!.version_id, 'no id']) {
      const refused = await set({ replace_with: id }).expect(400);
      expect(fieldErrorsOf(refused.body)).toEqual({ replace_with: 'does_not_exist' });
    }
    expect(fieldErrorsOf((await set({}).expect(400)).body)).toEqual({ replace_with: 'required' });
  });

  it('are deleted when nobody runs on them, and are gone from the plan', async () => {
    const planId = await shop.plan('Deleting');
    await shop.subscribe('c', planId, '2026-01-10');
    const [first] = (await versionsOf(planId)) as [Version];
    const second = await publish(planId, { make_active: true });
    expect((await change(`${first.version_id}/delete`).expect(400)).body.title).toBe('invalid_operation');
    expect((await change(`${second.version_id}/delete`).expect(200)).body.status).toBe('deleted');
    await change(`${second.version_id}/delete`).expect(200);
    // The version that replaced the first one is deleted, so the first one is no longer replaced.
    expect(await statuses(planId)).toEqual([[1, 'grandfathered']]);
    expect((await patch(second.version_id, { localized_name: 'x' }).expect(400)).body.title).toBe(
      'invalid_state',
    );
  });

  it('that are not there or not ours are not found', async () => {
    const theirs = await anotherTenant(app);
    const [{ version_id: ours }] = (await versionsOf(await shop.plan('Not theirs'))) as [Version];
    const targets = { customer_ids: ['c'] };
    const calls: [string, object][] = [
      ['delete', {}],
      ['target_customers/add', targets],
      ['target_customers/remove', targets],
      ['make_public', {}],
      ['replacement/set', { replace_with: ours }],
    ];
    for (const [path, body] of calls) {
      for (const id of [UNKNOWN, 'no-id']) {
        expect((await change(`${id}/${path}`, body).expect(404)).body.title).toBe('not_found');
      }
    }
    await patch(UNKNOWN, {}).expect(404);
    await theirs.request.patch(`/api/plan_versions/${ours}/`).send({ active_to: IN_10_DAYS }).expect(404);
    await theirs.request.post(`/api/plan_versions/${ours}/delete/`).expect(404);
  });
});
