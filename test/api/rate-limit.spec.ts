import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';

describe('more requests than a key may send in a second', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ env: { RATE_LIMIT: '3' } });
  });
  afterAll(() => app.stop());

  const many = (send: () => request.Test, count = 40) =>
    Promise.all(Array.from({ length: count }, () => send().then((answer) => answer)));
  const statuses = (answers: readonly request.Response[]) => new Set(answers.map(({ status }) => status));

  it('are refused with the time to wait, and taken again afterwards', async () => {
    const answers = await many(() => app.request.get('/api/ping/'));
    expect(statuses(answers)).toEqual(new Set([200, 429]));
    const { body, headers } = answers.find(({ status }) => status === 429)!;
    expect(headers['retry-after']).toBe('1');
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(body).toEqual({
      type: expect.stringMatching(/#client-error$/),
      title: 'throttled',
      detail: expect.any(String),
      status: 429,
      instance: headers['x-request-id'],
    });
    await sleep(1_000);
    await app.request.get('/api/ping/').expect(200);
  });

  it('are done as little as any other that is refused', async () => {
    await sleep(1_000);
    let n = 0;
    const answers = await many(() =>
      app.request.post('/api/features/').send({ feature_name: `F${(n += 1)}` }),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(statuses(answers)).toEqual(new Set([201, 429]));
    await sleep(1_000);
    expect((await app.request.get('/api/features/').expect(200)).body).toHaveLength(made.length);
  });

  it('are nobody else’s trouble: another key, or what needs none', async () => {
    await sleep(1_000);
    const { body } = await app.request
      .post('/api/api_keys/')
      .send({ name: 'other', scope: 'read' })
      .expect(201);
    await many(() => app.request.get('/api/ping/'));
    await request(app.url).get('/api/ping/').set('X-API-KEY', body.key).expect(200);
    const alive = await many(() => request(app.url).get('/api/healthcheck/'));
    expect(statuses(alive)).toEqual(new Set([200]));
  });
});
