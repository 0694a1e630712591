import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { READINESS, type Readiness } from '../../src/platform/eventsourcing/read-models.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { EsdbDouble } from '../support/esdb-double/server.js';
import { dropEventLog } from '../support/event-log.js';
import { startPostgresProxy } from '../support/postgres-proxy.js';
import { createTestDatabase } from '../support/postgres.js';
import { PATIENCE_MS, until as eventually } from '../support/until.js';

/** Time limit in ms. Readiness changes within 10 s on an idle machine; a change that is not noticed would take minutes. */
const IN_TIME = 60_000;

/** Polls readiness until it has the status; returns the time that this took. */
async function until(app: TestApp, status: number): Promise<{ ms: number; detail: string }> {
  const began = performance.now();
  for (;;) {
    const answer = await request(app.url).get('/api/readiness/');
    const ms = performance.now() - began;
    if (answer.status === status) return { ms, detail: answer.body.detail };
    if (ms > PATIENCE_MS) throw new Error(`readiness is still ${answer.status}: ${answer.body.detail}`);
    await sleep(100);
  }
}

/** Waits until no read model is behind: a lag that is seen before a fault would be told beside it. */
const level = ({ service }: TestApp): Promise<boolean> =>
  eventually(() =>
    [...service.app.get<Readiness>(READINESS, { strict: false }).lagSeconds().values()].every((lag) => !lag),
  );

describe('readiness', () => {
  const stops: (() => Promise<unknown>)[] = [];
  let app: TestApp;
  const log: string[] = [];
  beforeAll(async () => {
    app = await startTestApp({ log: { write: (line) => log.push(line) }, env: { LOG_LEVEL: 'info' } });
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(() => app.stop());

  it('is green without a key while everything works', async () => {
    expect((await until(app, 200)).ms).toBeLessThan(IN_TIME);
  });

  it('turns red within 10 s of a projector that stalls, names it, and green when it goes on', async () => {
    await until(app, 200);
    await level(app);
    const blocker = await app.pool.connect();
    await blocker.query('set idle_in_transaction_session_timeout = 0');
    await blocker.query('begin');
    await blocker.query(`select from projection_checkpoints where projection = 'catalog' for update`);
    await app.request.post('/api/features/').send({ feature_name: 'Stalled' }).expect(201);
    const { ms, detail } = await until(app, 503);
    await request(app.url).get('/api/healthcheck/').expect(200);
    await blocker.query('commit');
    blocker.release();
    expect(ms).toBeLessThan(IN_TIME);
    expect(detail).toMatch(/The read model catalog is \d+ s behind the log\./);
    await until(app, 200);
  });

  it('is red while a read model has stopped, and says nothing of the data', async () => {
    await level(app);
    const stop = `update projection_checkpoints set stopped = $1 where projection = 'plans'`;
    await app.pool.query(stop, ['event of customer-acme cannot be applied']);
    const { ms, detail } = await until(app, 503);
    await app.pool.query(stop, [null]);
    expect(ms).toBeLessThan(IN_TIME);
    expect(detail).toBe('The read model plans has stopped.');
  });

  it('is no error in the log while it is red, as it is asked every few seconds', async () => {
    const stop = `update projection_checkpoints set stopped = $1 where projection = 'plans'`;
    await app.pool.query(stop, ['an unknown event']);
    await until(app, 503);
    await app.pool.query(stop, [null]);
    await until(app, 200);
    const lines = log.map((line) => JSON.parse(line) as { msg: string; status?: number });
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'A request ended.', status: 503 }));
    expect(lines.filter(({ msg }) => msg === 'A request failed.')).toEqual([]);
  });

  it('turns red within 10 s of a database that is away, and liveness stays', async () => {
    const database = await createTestDatabase('recount_with_read_models');
    const proxy = await startPostgresProxy(database.url);
    const cut = await startTestApp({ databaseUrl: proxy.url });
    stops.push(
      () => cut.stop(),
      async () => dropEventLog(proxy.url),
      () => database.drop(),
    );
    await until(cut, 200);
    await level(cut);
    await proxy.close();
    const { ms, detail } = await until(cut, 503);
    expect(ms).toBeLessThan(IN_TIME);
    expect(detail).toMatch(/The (event store|database) does not answer\./);
    await request(cut.url).get('/api/healthcheck/').expect(200);
  });

  it('turns red within 10 s of an event store that is away, and green when it is back', async () => {
    const [database, node] = [
      await createTestDatabase('recount_with_read_models'),
      await new EsdbDouble().start(),
    ];
    const cut = await startTestApp({ databaseUrl: database.url, eventStoreUrl: node.connectionString });
    stops.push(
      () => cut.stop(),
      () => database.drop(),
      async () => node.stop(),
    );
    await until(cut, 200);
    await level(cut);
    node.stop();
    const { ms, detail } = await until(cut, 503);
    expect(ms).toBeLessThan(IN_TIME);
    expect(detail).toBe('The event store does not answer.');
    await request(cut.url).get('/api/healthcheck/').expect(200);
    await node.start();
    await until(cut, 200);
  });
});
