import { afterAll, beforeAll, expect } from '@jest/globals';
import { anotherTenant } from '../../support/another-tenant.js';
import { fieldErrorsOf } from '../../support/answers.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { shopOf } from '../../support/shop.js';
import { golden } from './golden.js';

interface Listed {
  readonly plan_id: string;
  readonly plan_name: string;
  readonly active_version: number;
  readonly versions: readonly { version_id: string; version: number; status: string; active_to: string }[];
}

/** Returns the catalog of a new tenant, because a list has all plans of its tenant. */
async function catalogOf(app: TestApp) {
  const { request } = await anotherTenant(app);
  const { plan, customer } = shopOf({ ...app, request });
  const list = async (query = ''): Promise<Listed[]> =>
    (await request.get(`/api/plans/${query}`).expect(200)).body;
  return {
    request,
    plan,
    customer,
    list,
    names: async (query: string) => (await list(query)).map(({ plan_name: name }) => name).sort(),
    /** Publishes another version in USD without any charge. */
    publish: async (planId: string, body: object = {}): Promise<Listed['versions'][number]> =>
      (
        await request
          .post('/api/plan_versions/')
          .send({ plan_id: planId, currency_code: 'USD', ...body })
          .expect(201)
      ).body,
    patch: (versionId: string, body: object) => request.patch(`/api/plan_versions/${versionId}/`).send(body),
  };
}

let app: TestApp;
let four: Awaited<ReturnType<typeof catalogOf>>;
let replaced: Awaited<ReturnType<typeof catalogOf>>;
let replacedPlan: string;

beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-10T00:00:00Z' });
  four = await catalogOf(app);
  await four.customer('c1');
  await four.plan('A', {}, { tags: ['x', 'y'] });
  await four.plan('B', {}, { plan_duration: 'yearly', tags: ['X'] });
  await four.plan('C');
  await four.plan('D', { target_customer_ids: ['c1'] }, { tags: ['z'] });
  replaced = await catalogOf(app);
  replacedPlan = await replaced.plan('A');
  await replaced.request.post('/api/test_clock/advance/').send({ to: '2026-01-11T00:00:00Z' }).expect(200);
});
afterAll(() => app.stop());

golden('plans-include', async ({ expect: wanted }) => {
  expect(await four.names('?include_tags=x')).toEqual(wanted?.['plans']);
});

golden('plans-include-all', async ({ expect: wanted }) => {
  expect(await four.names('?include_tags_all=x&include_tags_all=y')).toEqual(wanted?.['plans']);
});

golden('plans-exclude', async () => {
  expect(await four.names('?exclude_tags=x')).toEqual(['C', 'D']);
});

golden('plans-duration-bad', async ({ expect: wanted }) => {
  const { body } = await four.request.get('/api/plans/?duration=weekly');
  expect(body).toMatchObject({ ...wanted, title: 'invalid_choice' });
  expect(fieldErrorsOf(body)).toEqual({ duration: 'invalid_choice' });
});

golden('plans-currency', async ({ expect: wanted }) => {
  expect(await four.names('?version_currency_code=USD')).toEqual(wanted?.['plans']);
  expect(await four.names('?version_currency_code=EUR')).toEqual([]);
});

golden('plans-status-active', async ({ expect: wanted }) => {
  expect(await four.names('?version_status=active')).toEqual(wanted?.['plans']);
});

golden('plans-status-ended', async ({ expect: wanted }) => {
  expect(await four.names('?version_status=ended')).toEqual(wanted?.['plans']);
});

golden('plans-future-version-disappears', async ({ expect: wanted }) => {
  const { plan, patch, list, names } = await catalogOf(app);
  await plan('P');
  const { version_id: version } = (await list())[0]!.versions[0]!;
  await patch(version, { active_to: '2026-01-14T00:00:00Z' }).expect(200);
  expect(await names('?version_status=active')).toEqual(['P']);
  const first = await patch(version, { active_from: '2026-01-21T00:00:00Z' });
  await patch(version, { active_to: '2026-01-21T00:00:00Z' }).expect(200);
  const second = await patch(version, { active_from: '2026-01-14T00:00:00Z' });
  const plans = await names('?version_status=active');
  expect({ first: first.status, second: second.status, plans }).toEqual(wanted);
});

golden('ref-version-status', async () => {
  const { plan, publish, patch, list } = await catalogOf(app);
  const planId = await plan('A to D');
  await plan('only active');
  const [b, c] = [await publish(planId), await publish(planId), await publish(planId)];
  await patch(b.version_id, { active_from: '2026-01-09', active_to: '2026-01-10' }).expect(200);
  await patch(c.version_id, { active_from: '2026-01-12' }).expect(200);
  const kept = async (query: string) =>
    (await list(query)).map(({ plan_name: name, versions }) => [name, versions.map((one) => one.version)]);
  const other = ['only active', [1]];
  expect(await kept('?version_status=active')).toEqual([['A to D', [1]], other]);
  expect(await kept('?version_status=ended')).toEqual([['A to D', [2]]]);
  expect(await kept('?version_status=not_started')).toEqual([['A to D', [3, 4]]]);
  expect(await kept('')).toEqual([['A to D', [1, 2, 3, 4]], other]);
});

golden('plans-make-active-replaces', async ({ expect: wanted }) => {
  const { list, publish, patch } = replaced;
  const v2 = await publish(replacedPlan);
  await patch(v2.version_id, { active_from: '2026-02-01T00:00:00Z' }).expect(200);
  const v3 = await publish(replacedPlan, { make_active: true });
  expect(v3).toMatchObject({ version: 3, status: wanted?.['v3'], active_from: '2026-01-11T00:00:00Z' });
  const [v1] = (await list())[0]!.versions;
  expect(v1).toMatchObject({ status: wanted?.['v1'], active_to: '2026-01-11T00:00:00Z' });
  await app.advance('2026-02-02T00:00:00Z');
  const [{ active_version: active, versions }] = (await list()) as [Listed];
  expect([active, versions.map(({ status }) => status)]).toEqual([3, ['inactive', 'inactive', 'active']]);
});
