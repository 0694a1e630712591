import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { LastEvents } from '../../src/platform/eventsourcing/last-events.js';
import { READINESS, type Readiness } from '../../src/platform/eventsourcing/read-models.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { dropEventLog } from '../support/event-log.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';

describe('a caller reads its own writes', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  const create = async (name: string) =>
    (await app.request.post('/api/features/').send({ feature_name: name }).expect(201)).headers[
      'x-recount-position'
    ] as string;
  const names = (answer: request.Response) =>
    (answer.body as { feature_name: string }[]).map((feature) => feature.feature_name);

  it('at once with the same key, time after time', async () => {
    for (let n = 0; n < 20; n++) {
      await create(`Feature ${n}`);
      const answer = await app.request.get('/api/features/').expect(200);
      expect(names(answer)).toContain(`Feature ${n}`);
      expect(answer.headers['x-recount-stale']).toBeUndefined();
    }
  });

  it('with the position of the write, whoever reads', async () => {
    const { body: other } = await app.request.post('/api/api_keys/').send({ name: 'other' }).expect(201);
    for (let n = 0; n < 10; n++) {
      const position = await create(`Told ${n}`);
      const answer = await request(app.url)
        .get('/api/features/')
        .set('X-API-KEY', other.key)
        .set('X-Recount-Position', position)
        .expect(200);
      expect(names(answer)).toContain(`Told ${n}`);
    }
  });

  it('every command says how far it wrote, also one that was refused or had nothing to do', async () => {
    const first = await create('Position');
    const again = await app.request.patch('/api/organization/').send({}).expect(200);
    expect(first).toMatch(/^[\w-]{43}$/);
    expect(again.headers['x-recount-position']).toBe(first);
  });

  it('asks the event store for nothing while it is the only process', async () => {
    const readiness = app.service.app.get<Readiness>(READINESS, { strict: false });
    const asking = jest.spyOn(app.service.app.get(LastEvents, { strict: false }), 'of');
    // On a busy machine it does not know that it is alone between two polls.
    await until(async () => {
      asking.mockClear();
      const wasAlone = readiness.isAlone();
      await app.request.get('/api/features/').expect(200);
      return wasAlone && readiness.isAlone();
    });
    expect(asking).not.toHaveBeenCalled();
    asking.mockRestore();
  });

  it('that went through another process', async () => {
    const options = { databaseUrl: app.databaseUrl, env: { ROLES: 'api' } };
    const other = await startTestApp(options);
    try {
      for (let n = 0; n < 20; n++) {
        await create(`Elsewhere ${n}`);
        const answer = await other.request.get('/api/features/').expect(200);
        expect(names(answer)).toContain(`Elsewhere ${n}`);
        expect(answer.headers['x-recount-stale']).toBeUndefined();
      }
    } finally {
      await other.stop();
    }
  });

  it('a position that is none is refused', async () => {
    for (const position of ['soon', '1', '1/1', '0/0', 'A'.repeat(43), 'soon'.repeat(10)]) {
      const { body } = await app.request
        .get('/api/features/')
        .set('X-Recount-Position', position)
        .expect(400);
      expect(body.validation_errors).toMatchObject([{ attr: 'X-Recount-Position', code: 'invalid' }]);
    }
  });
});

describe('a process without the projections', () => {
  let database: TestDatabase;
  let api: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase('recount_with_read_models');
    api = await startTestApp({ databaseUrl: database.url, env: { ROLES: 'api' }, limitsWaits: true });
  });
  afterAll(async () => {
    await api.stop();
    dropEventLog(database.url);
    await database.drop();
  });

  it('waits for those of another one, and answers stale while there is none', async () => {
    const { body: created } = await api.request
      .post('/api/features/')
      .send({ feature_name: 'Waiting' })
      .expect(201);
    const started = performance.now();
    const stale = await api.request.get('/api/features/').expect(200);
    expect(performance.now() - started).toBeGreaterThan(1_400);
    expect(stale.headers['x-recount-stale']).toBe('true');
    expect(stale.body).toEqual([]);

    // A read without read models waits for none.
    const ping = await api.request.get('/api/ping/').expect(200);
    expect(ping.headers['x-recount-stale']).toBeUndefined();

    // An acknowledged resource is answered 503, not 404, with any key; lists are marked as stale.
    const { body: other } = await api.request.post('/api/api_keys/').send({ name: 'other' }).expect(201);
    const ask = (path: string) => request(api.url).get(path).set('X-API-KEY', other.key);
    for (const unknown of [created.feature_id, '00000000-0000-4000-8000-000000000000']) {
      await api.request.get(`/api/features/${unknown}/`).expect(503);
      const { body, headers } = await ask(`/api/features/${unknown}/`).expect(503);
      expect(body).toMatchObject({
        title: 'unavailable',
        detail: expect.stringContaining('read models are behind'),
      });
      expect(headers['retry-after']).toMatch(/^\d+$/);
    }
    await until(async () => (await ask('/api/features/').expect(200)).headers['x-recount-stale'] === 'true');

    const projections = await startTestApp({
      databaseUrl: database.url,
      env: { ROLES: 'projections', PORT: '0' },
    });
    try {
      const fresh = await until(async () => {
        const answer = await api.request.get('/api/features/').expect(200);
        return answer.headers['x-recount-stale'] === undefined && answer;
      });
      expect(fresh.body).toMatchObject([{ feature_name: 'Waiting' }]);
      await until(async () => (await ask('/api/features/')).headers['x-recount-stale'] === undefined);
      await ask(`/api/features/${created.feature_id}/`).expect(200);
      await ask('/api/features/00000000-0000-4000-8000-000000000000/').expect(404);
      expect(projections.service.url).toBeUndefined();
    } finally {
      await projections.stop();
    }
  });
});
