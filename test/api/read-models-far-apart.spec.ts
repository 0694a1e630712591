import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ReadModelDistances } from '../../src/audit/queries/read-model-distances.js';
import type { Position } from '../../src/kernel/event.js';
import { Database } from '../../src/platform/database/open-database.js';
import {
  READ_MODEL_MAINTENANCE,
  READ_MODELS,
  type ReadModelMaintenance,
  type ReadModels,
} from '../../src/platform/eventsourcing/read-models.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { anotherTenant } from '../support/another-tenant.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';
import { readModelsAtHead } from '../support/stored.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
});
afterAll(() => app.stop());

it('read models are compared with the log up to a number of events, however far from each other they are', async () => {
  const { request: other } = await anotherTenant(app);
  const store = app.service.app.get<EventStore>(EVENT_STORE);
  const models = app.service.app.get<ReadModels>(READ_MODELS, { strict: false });
  const behind = ['audit', 'customers', 'invoices'];
  const ends: Position[] = [];
  for (const name of behind) {
    for (let n = 0; n < 12; n += 1)
      await other
        .post('/api/features/')
        .send({ feature_name: `of another ${n} before ${name}` })
        .expect(201);
    ends.push((await store.head())!);
    if (name === 'audit') await shopOf(app).customer('oldest');
  }
  await app.advance('2026-01-02T00:00:00Z');
  await shopOf(app).customer('newest');
  await readModelsAtHead(app);
  const statuses = (await models.status()).map((status) => {
    const position = ends[behind.indexOf(status.projection)] ?? status.position;
    return { ...status, position };
  });
  let count = 0;
  const counting = Object.assign(Object.create(store) as EventStore, {
    async *readAll(after?: Position, limit?: number) {
      for await (const event of store.readAll(after, limit)) {
        count += 1;
        yield event;
      }
    },
  });
  const distances = new ReadModelDistances(
    app.service.app.get(Database),
    Object.assign(Object.create(models) as ReadModels, { status: async () => statuses }),
    app.service.app.get<ReadModelMaintenance>(READ_MODEL_MAINTENANCE, { strict: false }),
    counting,
  );
  const found = await distances.read(app.org, 10);
  expect(found.flatMap(({ name, eventsBehind }) => (eventsBehind > 0 ? [name] : []))).toEqual(
    expect.arrayContaining(behind),
  );
  expect(count).toBeLessThanOrEqual(10);
  const since = (name: string) => found.find((one) => one.name === name)!.behindSince!;
  expect(since('audit') < since('customers')).toBe(true);
});
