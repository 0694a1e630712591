import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { customerKeyOf, type Uuid } from '../../src/kernel/ids.js';
import { streamName, type RecordedEvent } from '../../src/kernel/event.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { shopOf } from '../support/shop.js';

const CHANGES = 400;
/** A policy reads its event, the event before it and the newest events. The tree and each read model read an event once. */
const READS_PER_EVENT = 10;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: '2026-01-01T00:00:00Z' });
});
afterAll(() => app.stop());

it('changes of one customer whose process died are followed with a few reads each, however many they are', async () => {
  await shopOf(app).customer('changed', { email: 'kept@example.com' });
  const store = app.service.app.get<EventStore>(EVENT_STORE);
  const stream = streamName('customer', app.org, customerKeyOf(app.org, 'changed'));
  let [newest]: (RecordedEvent | undefined)[] = [];
  for await (const event of store.readStream(stream)) newest = event;
  let read = 0;
  const readStream = store.readStream.bind(store);
  store.readStream = async function* (...of) {
    for await (const event of readStream(...of)) {
      if (event.stream === stream) read += 1;
      yield event;
    }
  };
  const { revision, data, metadata } = newest!;
  const changes = Array.from({ length: CHANGES }, (_, at) => ({
    id: randomUUID() as Uuid,
    type: 'CustomerDetailsChanged',
    metadata,
    data: { ...data, taxRate: String(at % 30) },
  }));
  for (let done = 0; done < CHANGES; done += 100) {
    await store.append(stream, revision + BigInt(done), changes.slice(done, done + 100));
  }
  await app.advance('2026-01-02T00:00:00Z');
  expect(read).toBeGreaterThan(CHANGES);
  expect(read).toBeLessThan(CHANGES * READS_PER_EVENT);
  await app.request.get('/api/customers/?email=kept@example.com').expect(200);
});
