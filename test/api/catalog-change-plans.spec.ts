import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ReleasePlanName } from '../../src/catalog/commands/change-plan.js';
import { streamName } from '../../src/kernel/event.js';
import { fromWireId } from '../../src/kernel/ids.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, aPlanBody, perUnitTiers } from '../support/builders/catalog-bodies.js';
import { shopOf, type Shop } from '../support/shop.js';
import { forgetAnswer } from '../support/stored-idempotency-keys.js';
import { verifyAll } from '../support/verify-all.js';

const UNKNOWN = 'plan_99999999000040008000000000000001';

describe('changing a plan', () => {
  let app: TestApp;
  let shop: Shop;
  const post = (path: string, body: object = {}) => app.request.post(`/api/plans/${path}/`).send(body);
  const patch = (planId: string, body: object) => app.request.patch(`/api/plans/${planId}/`).send(body);
  const read = async (planId: string) => (await app.request.get(`/api/plans/${planId}/`).expect(200)).body;
  const tagged = async (planId: string, how: string, ...tags: unknown[]): Promise<string[]> =>
    (await post(`${planId}/tags/${how}`, { tags }).expect(200)).body.tags;

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    shop = shopOf(app);
  });
  afterAll(() => app.stop());

  it('changes name and description, and answers as it is read back (plans-update)', async () => {
    const planId = await shop.plan('Before', {}, { plan_description: 'old' });
    const changed = await patch(planId, { plan_name: ' After ', plan_description: 'new' }).expect(200);
    expect(changed.body).toMatchObject({ plan_name: 'After', plan_description: 'new' });
    expect(changed.body.versions[0]).toMatchObject({ plan_name: 'After', description: 'new' });
    expect(await read(planId)).toEqual(changed.body);

    const cleared = await patch(planId, { plan_description: null }).expect(200);
    expect(cleared.body).toMatchObject({ plan_name: 'After', plan_description: null });
    expect((await patch(planId, {}).expect(200)).body).toEqual(cleared.body);
  });

  it('is no hindrance to a repeat of the creation, whose answer was lost with its process', async () => {
    const create = () =>
      app.request.post('/api/plans/').set('Idempotency-Key', 'lost').send(aPlanBody('Lost')).expect(201);
    const { body: created } = await create();
    await forgetAnswer(app, 'lost');
    await patch(created.plan_id, { plan_name: 'Found' }).expect(200);
    await shop.plan('Lost');
    expect((await create()).body.plan_id).toBe(created.plan_id);
  });

  it('keeps names unique, and leaves a former name to others', async () => {
    const planId = await shop.plan('First name');
    await shop.plan('Somebody else’s');
    const { body } = await patch(planId, { plan_name: 'Somebody else’s' }).expect(400);
    expect(body.title).toBe('duplicate_resource');
    expect((await read(planId)).plan_name).toBe('First name');

    await patch(planId, { plan_name: 'Second name' }).expect(200);
    await shop.plan('First name');
    await app.request.post('/api/plans/').send(aPlanBody('Second name')).expect(400);
  });

  it('leaves a name to others a minute after a rename to it died before it was recorded', async () => {
    await shop.plan('Renamed never');
    await app.pool.query(`insert into claims (org, kind, key, owner_stream, taken_at)
      select org, kind, 'Never reached', owner_stream, now() - interval '2 minutes' from claims where key = 'Renamed never'`);
    await shop.plan('Never reached');
    await app.pool.query(`update claims set taken_at = now() - interval '2 minutes'`);
    await app.request.post('/api/plans/').send(aPlanBody('Never reached')).expect(400);
    await app.request.post('/api/plans/').send(aPlanBody('Renamed never')).expect(400);
  });

  it('keeps a name that it takes back while the policy of its last change releases it', async () => {
    const planId = await shop.plan('Back and forth');
    await patch(planId, { plan_name: 'Forth' }).expect(200);
    const store = app.service.app.get<EventStore>(EVENT_STORE);
    const stream = streamName('plan', app.org, fromWireId('plan', planId)!);
    const append = store.append.bind(store);
    jest.spyOn(store, 'append').mockImplementationOnce(async (...args) => {
      const release = app.service.app.get(ReleasePlanName, { strict: false });
      for await (const change of store.readStream(stream, { from: 2n })) await release.handle(change);
      return append(...args);
    });
    await patch(planId, { plan_name: 'Back and forth' }).expect(200);
    await app.request.post('/api/plans/').send(aPlanBody('Back and forth')).expect(400);
    await shop.plan('Forth');
  });

  it('does not know plans that are not there or not ours', async () => {
    const theirs = await anotherTenant(app);
    const planId = await shop.plan('Ours alone');
    for (const id of [UNKNOWN, 'no-id']) {
      expect((await patch(id, { plan_name: 'X' }).expect(404)).body.title).toBe('not_found');
      for (const path of ['tags/add', 'tags/remove', 'tags/set']) {
        await post(`${id}/${path}`, { tags: ['a'] }).expect(404);
      }
      await post(`${id}/delete`).expect(404);
    }
    await theirs.request.patch(`/api/plans/${planId}/`).send({ plan_name: 'Taken' }).expect(404);
    await theirs.request.post(`/api/plans/${planId}/delete/`).expect(404);
    expect(await read(planId)).toMatchObject({ plan_name: 'Ours alone', status: 'active' });
  });

  it('adds tags without case, the first spelling stays (plans-tags-add)', async () => {
    const one = await shop.plan('Tags one');
    expect(await tagged(one, 'add', 'test_tag', 'test_tag_2')).toEqual(['test_tag', 'test_tag_2']);
    const other = await shop.plan('Tags other');
    expect(await tagged(other, 'add', 'test_tag', 'TEST_tag')).toEqual(['test_tag']);
    expect(await tagged(other, 'add', { tag_name: 'TEST_TAG' })).toEqual(['test_tag']);
    expect((await read(other)).tags).toEqual(['test_tag']);
  });

  it('sets and removes tags without case (plans-tags-set)', async () => {
    const planId = await shop.plan('Tags set', {}, { tags: ['test_tag', 'TEST_tag_2'] });
    expect(await tagged(planId, 'set', 'test_tag_2', 'test_tag_3')).toEqual(['test_tag_2', 'test_tag_3']);
    expect(await tagged(planId, 'remove', 'TEST_TAG_2', 'never-there')).toEqual(['test_tag_3']);
    expect(await tagged(planId, 'set')).toEqual([]);
    const wrong = await post(`${planId}/tags/add`, { tags: ['a b'] }).expect(400);
    expect(Object.keys(fieldErrorsOf(wrong.body))).toEqual(['tags.0']);
    expect(fieldErrorsOf((await post(`${planId}/tags/add`).expect(400)).body)).toEqual({ tags: 'required' });
  });

  it('gives a feature to all versions or to some, never to a deleted one (plans-feature-add)', async () => {
    const feature = async (name: string): Promise<string> =>
      (await app.request.post('/api/features/').send({ feature_name: name }).expect(201)).body.feature_id;
    const [first, second] = [await feature('one'), await feature('two')];
    const planId = await shop.plan('Features');
    const publish = async (): Promise<string> => {
      const body = { plan_id: planId, currency_code: 'USD', make_active: true };
      return (await app.request.post('/api/plan_versions/').send(body).expect(201)).body.version_id;
    };
    const deleted = await publish();
    const active = await publish();
    await app.request.post(`/api/plan_versions/${deleted}/delete/`).expect(200);

    await post(`${planId}/features/add`, { feature_id: first, all_versions: true }).expect(200);
    const some = { feature_id: second, version_ids: [active] };
    const { body } = await post(`${planId}/features/add`, some).expect(200);
    const counts = body.versions.map(({ status, features }: { status: string; features: unknown[] }) => [
      status,
      features.length,
    ]);
    expect(counts).toEqual([
      ['inactive', 1],
      ['active', 2],
    ]);
    expect(await read(planId)).toEqual(body);

    const refused = async (sent: object) =>
      fieldErrorsOf((await post(`${planId}/features/add`, sent).expect(400)).body);
    expect(await refused({ feature_id: first })).toEqual({ version_ids: 'required' });
    expect(await refused({ feature_id: UNKNOWN.slice(5), all_versions: true })).toEqual({
      feature_id: 'does_not_exist',
    });
    expect(await refused({ feature_id: UNKNOWN.slice(5), version_ids: [active, deleted] })).toEqual({
      feature_id: 'does_not_exist',
      'version_ids.1': 'does_not_exist',
    });
    expect(await refused({ feature_id: first, version_ids: [active, deleted, 'x'] })).toEqual({
      'version_ids.1': 'does_not_exist',
      'version_ids.2': 'does_not_exist',
    });
  });

  it('is deleted only when nobody runs on it, and leaves the lists and its name', async () => {
    const planId = await shop.plan('To be deleted');
    await shop.customer('subscribed');
    await shop.subscribe('subscribed', planId, '2026-01-01', { end_date: '2026-01-20', auto_renew: false });
    const refused = await post(`${planId}/delete`).expect(400);
    expect(refused.body.title).toBe('invalid_operation');
    expect(await read(planId)).toMatchObject({ status: 'active', active_subscriptions: 1 });

    await app.advance('2026-01-21T00:00:00Z');
    const { body } = await post(`${planId}/delete`).expect(200);
    expect(body).toMatchObject({ status: 'archived', versions: [{ status: 'deleted' }], active_version: 0 });
    await post(`${planId}/delete`).expect(200);
    const listed = (await app.request.get('/api/plans/').expect(200)).body;
    expect(listed.map((plan: { plan_id: string }) => plan.plan_id)).not.toContain(planId);

    expect((await patch(planId, { plan_name: 'Again' }).expect(400)).body.title).toBe('invalid_state');
    const subscribe = { customer_id: 'subscribed', start_date: '2026-01-21' };
    for (const named of [{ plan_id: planId }, { version_id: body.versions[0].version_id }]) {
      const none = await app.request
        .post('/api/subscriptions/')
        .send({ ...subscribe, ...named })
        .expect(400);
      expect(Object.values(fieldErrorsOf(none.body))).toEqual(['does_not_exist']);
    }
    await shop.plan('To be deleted');
  });

  it('shows its new name on new invoices, and the old ones still verify', async () => {
    const metricId = await shop.metric();
    const planId = await shop.plan('Old name', { components: [aComponentBody(metricId)] });
    await shop.customer('billed');
    await shop.subscribe('billed', planId, '2026-01-21');
    await patch(planId, { plan_name: 'New name' }).expect(200);
    await app.advance('2026-02-22T00:00:00Z');
    const invoices: { line_items: { plan: { plan_name: string } }[] }[] =
      await shop.invoices('?customer_id=billed');
    const names = invoices.map(({ line_items: lines }) => lines.map(({ plan }) => plan.plan_name));
    expect(new Set(names[0])).toEqual(new Set(['New name']));
    expect(names.at(-1)).toEqual(['Old name']);
    expect(await verifyAll(app)).toBeGreaterThanOrEqual(3);
  });

  it('bills a subscription that starts after the plan was deleted, and its renewals, by the deleted version', async () => {
    const metricId = await shop.metric({ metric_name: 'later', event_name: 'later' });
    const components = [aComponentBody(metricId, { tiers: perUnitTiers(2) })];
    const planId = await shop.plan('Deleted before the start', { components });
    await shop.customer('later');
    const { subscription_id: id } = await shop.subscribe('later', planId, '2026-04-01');
    expect((await post(`${planId}/delete`).expect(200)).body.status).toBe('archived');
    const use = (...times: string[]) =>
      shop.use(...times.map((at) => ({ customer: 'later', name: 'later', at })));
    await app.advance('2026-04-15T00:00:00Z');
    await use('2026-04-10T00:00:00Z', '2026-04-11T00:00:00Z');
    await app.advance('2026-05-15T00:00:00Z');
    await use('2026-05-10T00:00:00Z');
    await app.advance('2026-06-02T00:00:00Z');
    const invoices: { cost_due: number }[] = await shop.invoices('?customer_id=later');
    expect(invoices.map(({ cost_due }) => cost_due)).toEqual([32, 34, 30]);
    const { body: first } = await app.request.get(`/api/subscriptions/${id}/`).expect(200);
    expect(first).toMatchObject({ fully_billed: true });
    expect(await verifyAll(app)).toBeGreaterThanOrEqual(6);
  });
});
