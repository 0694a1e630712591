import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anotherTenant } from '../support/another-tenant.js';
import { fieldErrorsOf } from '../support/answers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { aComponentBody, aMetricBody, aPlanBody } from '../support/builders/catalog-bodies.js';

describe('archiving a metric', () => {
  let app: TestApp;
  let metric: { readonly metric_id: string };
  const archive = () => app.request.post(`/api/metrics/${metric.metric_id}/archive/`).send({});
  const listed = async () => (await app.request.get('/api/metrics/').expect(200)).body;
  const createPlan = (name: string) =>
    app.request.post('/api/plans/').send(aPlanBody(name, { components: [aComponentBody(metric.metric_id)] }));

  beforeAll(async () => {
    app = await startTestApp();
    metric = (await app.request.post('/api/metrics/').send(aMetricBody()).expect(201)).body;
  });
  afterAll(() => app.stop());

  it('is refused while a version that is not deleted counts by it (metric-archive-in-use)', async () => {
    const { body: plan } = await createPlan('Counts').expect(201);
    expect((await archive().expect(400)).body.title).toBe('invalid_operation');
    expect(await listed()).toEqual([metric]);
    await app.request.post(`/api/plan_versions/${plan.versions[0].version_id}/delete/`).expect(200);
    expect((await archive().expect(200)).body).toEqual(metric);
    expect(await listed()).toEqual([]);
  });

  it('leaves it to be read, done twice it is done once, and no version is published with it', async () => {
    expect((await archive().expect(200)).body).toEqual(metric);
    expect((await app.request.get(`/api/metrics/${metric.metric_id}/`).expect(200)).body).toEqual(metric);
    const refused = await createPlan('Too late').expect(400);
    expect(fieldErrorsOf(refused.body)).toEqual({
      'initial_version.components.0.metric_id': 'does_not_exist',
    });
  });

  it('is not found where there is none, or for another tenant', async () => {
    const theirs = await anotherTenant(app);
    await theirs.request.post(`/api/metrics/${metric.metric_id}/archive/`).expect(404);
    const { body } = await app.request.post('/api/metrics/no-id/archive/').expect(404);
    expect(body.title).toBe('not_found');
  });
});
