import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aPlanBody } from '../support/builders/catalog-bodies.js';

interface ListedPlan {
  plan_name: string;
  versions: { currency: { code: string }; status: string; version: number | string }[];
}

describe('the list of plans', () => {
  let app: TestApp;
  const post = (body: object) => app.request.post('/api/plans/').send(body).expect(201);
  const list = async (query = ''): Promise<ListedPlan[]> =>
    (await app.request.get(`/api/plans/${query}`).expect(200)).body;
  const names = async (query: string) => (await list(query)).map((plan) => plan.plan_name);

  beforeAll(async () => {
    app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
    await app.request.post('/api/customers/').send({ customer_id: 'acme' }).expect(201);
    await post(aPlanBody('Old', {}, { plan_duration: 'yearly', tags: ['Public', 'eu'] }));
    await app.advance('2026-01-02T00:00:00Z');
    await post(aPlanBody('Euro', { currency_code: 'EUR' }, { tags: ['public'] }));
    await post(aPlanBody('Custom', { target_customer_ids: ['acme'] }, { plan_duration: 'quarterly' }));
    await post(aPlanBody('Bare', {}, { plan_duration: null, tags: ['EU'] }));
  });
  afterAll(() => app.stop());

  it('has the newest first, then by name', async () => {
    expect(await names('')).toEqual(['Bare', 'Custom', 'Euro', 'Old']);
  });

  it('continues page by page in that order', async () => {
    const seen: string[] = [];
    let next: string | undefined = '/api/plans/?limit=1';
    while (next !== undefined) {
      const { body, headers }: { body: ListedPlan[]; headers: Record<string, string> } = await app.request
        .get(next)
        .expect(200);
      seen.push(...body.map((plan) => plan.plan_name));
      next = /<(.+)>; rel="next"/.exec(headers['link'] ?? '')?.[1]?.replace(app.url, '');
    }
    expect(seen).toEqual(['Bare', 'Custom', 'Euro', 'Old']);
  });

  it.each([
    ['?duration=yearly', ['Old']],
    ['?duration=quarterly', ['Custom']],
    ['?include_tags=PUBLIC', ['Euro', 'Old']],
    ['?include_tags=public&include_tags=eu', ['Bare', 'Euro', 'Old']],
    ['?include_tags[]=public&include_tags[]=eu', ['Bare', 'Euro', 'Old']],
    ['?include_tags=public,eu', ['Bare', 'Euro', 'Old']],
    ['?include_tags_all=public,EU', ['Old']],
    ['?exclude_tags=eu', ['Custom', 'Euro']],
    ['?include_tags=public&exclude_tags=eu', ['Euro']],
    ['?version_currency_code=EUR', ['Euro']],
    ['?version_currency_code=eur', ['Euro']],
    ['?version_currency_code=GBP', []],
    ['?version_custom_type=custom_only', ['Custom']],
    ['?version_custom_type=public_only', ['Bare', 'Euro', 'Old']],
    ['?version_custom_type=all', ['Bare', 'Custom', 'Euro', 'Old']],
    ['?version_status=active', ['Bare', 'Custom', 'Euro', 'Old']],
    ['?version_status=ended', []],
    ['?version_status=ended&version_status=active&duration=yearly', ['Old']],
    ['?version_custom_type=custom_only&version_currency_code=EUR', []],
  ])('keeps by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ['?duration=weekly', 'duration', 'invalid_choice'],
    ['?version_custom_type=some', 'version_custom_type', 'invalid_choice'],
    ['?version_status=active&version_status=gone', 'version_status', 'invalid_choice'],
    ['?include_tags=', 'include_tags.0', 'blank'],
    ['?exclude_tags=', 'exclude_tags.0', 'blank'],
    ['?exclude_tags=a,', 'exclude_tags.1', 'blank'],
    ['?version_currency_code=euro', 'version_currency_code', 'does_not_exist'],
    ['?limit=0', 'limit', 'min_value'],
    ['?cursor=nonsense', 'cursor', 'invalid'],
  ])('refuses %s', async (query, attr, code) => {
    const { body } = await app.request.get(`/api/plans/${query}`).expect(400);
    expect(body.validation_errors).toMatchObject([{ attr, code }]);
  });

  it('is a tenant’s own', async () => {
    const other = await anotherTenant(app);
    expect((await other.request.get('/api/plans/').expect(200)).body).toEqual([]);
  });

  it('counts the subscriptions that run now', async () => {
    const { body: plan } = await post(aPlanBody('Subscribed'));
    const start = { customer_id: 'acme', plan_id: plan.plan_id, auto_renew: false };
    await app.request
      .post('/api/subscriptions/')
      .send({ ...start, start_date: '2026-01-02T00:00:00Z' })
      .expect(201);
    await app.request
      .post('/api/subscriptions/')
      .send({ ...start, start_date: '2026-06-01T00:00:00Z' })
      .expect(201);
    const { body } = await app.request.get(`/api/plans/${plan.plan_id}/`).expect(200);
    expect(body.active_subscriptions).toBe(1);
  });

  describe('of a plan with versions in every phase', () => {
    beforeAll(async () => {
      const { body: plan } = await post(aPlanBody('Phases'));
      const windows: [number, object][] = [
        [2, { active_from: null }],
        [3, { active_from: '2026-01-05' }],
        [4, { active_from: '2026-01-01', active_to: '2026-01-02' }],
        [5, { active_from: '2026-01-01', active_to: '2026-01-05' }],
      ];
      for (const [version, window] of windows) {
        const { plan_id } = plan;
        const sent = { plan_id, version, currency_code: 'USD' };
        const { body } = await app.request.post('/api/plan_versions/').send(sent).expect(201);
        await app.request.patch(`/api/plan_versions/${body.version_id}/`).send(window).expect(200);
      }
    });

    it.each([
      ['', [1, 2, 3, 4, 5]],
      ['&version_status=active', [1, 5]],
      ['&version_status=ended', [4]],
      ['&version_status=not_started', [2, 3]],
      ['&version_status=not_started,ended', [2, 3, 4]],
    ])('shows the versions kept by "%s", in the order of creation', async (query, expected) => {
      const [plan] = await list(`?duration=monthly${query}`).then((plans) =>
        plans.filter(({ plan_name }) => plan_name === 'Phases'),
      );
      expect(plan!.versions.map(({ version }) => version)).toEqual(expected);
      expect(plan).toMatchObject({ num_versions: 5, active_version: 5, display_version: { version: 5 } });
    });

    it('says each status', async () => {
      const plans = await list();
      const { versions } = plans.find(({ plan_name }) => plan_name === 'Phases')!;
      expect(versions.map(({ status }) => status)).toEqual([
        'active',
        'not_started',
        'not_started',
        'inactive',
        'active',
      ]);
    });
  });
});
