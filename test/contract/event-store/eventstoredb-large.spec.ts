import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { EventStoreDbEventStore } from '../../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js';
import { EsdbDouble } from '../../support/esdb-double/server.js';
import { newEvent, newStream } from '../../support/events.js';
import { PATIENCE_MS, until } from '../../support/until.js';

let node: EsdbDouble;
let store: EventStoreDbEventStore;
beforeEach(async () => {
  node = await new EsdbDouble().start();
  store = new EventStoreDbEventStore(node.connectionString, PATIENCE_MS);
});
afterEach(async () => {
  await store.close();
  node.stop();
});

it('EventStoreDB has 8 MB of appends under way at most, counted as they are sent', async () => {
  let open = (): void => undefined;
  node.chaos.gate = new Promise((resolve) => (open = resolve));
  // 300,000 characters of three bytes each.
  const data = { text: '中'.repeat(300_000) };
  const appends = Array.from({ length: 14 }, () => store.append(newStream(), 'no_stream', [newEvent(data)]));
  await until(async () => node.underWay >= 9);
  await sleep(500);
  expect(node.underWay).toBe(9);
  open();
  await Promise.all(appends);
});
