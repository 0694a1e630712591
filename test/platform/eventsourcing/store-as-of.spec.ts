import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { instant } from '../../../src/kernel/instant.js';
import { storeAsOf } from '../../../src/platform/as-of/moment.js';
import { eventsSinceSnapshot, type NewEvent } from '../../../src/platform/eventsourcing/store/event-store.js';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { newEvent, newStream } from '../../support/events.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';

const THEN = instant('2026-01-31T00:00:00Z');
const LATER = instant('2026-02-28T00:00:00Z');

let database: TestDatabase;
let store: PostgresEventStore;
beforeAll(async () => {
  database = await createTestDatabase();
  store = new PostgresEventStore(database.pool);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const recorded = (type: string, recordedAt: typeof THEN): NewEvent => {
  const event = newEvent();
  return { ...event, type, metadata: { ...event.metadata, recordedAt } };
};

describe('a stream as of a moment', () => {
  it.each([
    ['from its first event', 'AddonAttached', 0n],
    ['from the snapshot before the moment', 'Snapshot', 1n],
  ])('is folded %s, however many snapshots came after', async (_, second, first) => {
    const stream = newStream();
    const types = ['AddonAttached', second, 'AddonAttached'];
    const before = types.map((type) => recorded(type, THEN));
    const after = ['Snapshot', 'AddonAttached', 'Snapshot'].map((type) => recorded(type, LATER));
    await store.append(stream, 'no_stream', [...before, ...after]);
    const events = await eventsSinceSnapshot(storeAsOf(store, THEN), stream, 'Snapshot');
    expect(events.map(({ revision }) => revision)).toEqual([0n, 1n, 2n].filter((one) => one >= first));
  });
});
