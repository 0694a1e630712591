import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';

describe('features', () => {
  let app: TestApp;
  const post = (body: object) => app.request.post('/api/features/').send(body);

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  it('are answered as they are read back and listed', async () => {
    const { body: feature } = await post({
      feature_name: 'sso',
      feature_description: 'single sign-on',
    }).expect(201);
    expect(feature).toEqual({
      feature_id: expect.stringMatching(/^feature_[0-9a-f]{32}$/),
      feature_name: 'sso',
      feature_description: 'single sign-on',
    });
    const { body: read } = await app.request.get(`/api/features/${feature.feature_id}`).expect(200);
    expect(read).toEqual(feature);
    const { body: list } = await app.request.get('/api/features').expect(200);
    expect(list).toEqual([feature]);
  });

  it('need no description', async () => {
    const { body } = await post({ feature_name: 'plain', feature_description: null }).expect(201);
    expect(body.feature_description).toBeNull();
  });

  it('have a name of their own in a tenant', async () => {
    await post({ feature_name: 'taken' }).expect(201);
    const { body } = await post({ feature_name: 'taken' }).expect(400);
    expect(body.title).toBe('duplicate_resource');
    const other = await anotherTenant(app);
    await other.request.post('/api/features/').send({ feature_name: 'taken' }).expect(201);
  });

  it('of which many ask for one name at once are one', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({ feature_name: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
  });

  it('are made once by a request that is repeated under its key', async () => {
    const send = () => post({ feature_name: 'repeated' }).set('Idempotency-Key', 'feature-1').expect(201);
    const { body: first } = await send();
    const { body: again } = await send();
    expect(again).toEqual(first);
  });

  it('without a name are refused', async () => {
    const { body } = await post({}).expect(400);
    expect(body.validation_errors).toEqual([
      { code: 'required', detail: expect.any(String), attr: 'feature_name' },
    ]);
  });

  it('of another tenant are unknown', async () => {
    const other = await anotherTenant(app);
    const { body: feature } = await other.request
      .post('/api/features/')
      .send({ feature_name: 'theirs' })
      .expect(201);
    await app.request.get(`/api/features/${feature.feature_id}/`).expect(404);
  });

  it.each(['features', 'metrics', 'plans'])('%s are nobody’s without a key', async (path) => {
    await request(app.url).get(`/api/${path}/`).expect(401);
    await request(app.url).post(`/api/${path}/`).send({}).expect(401);
  });
});
