import { EventStoreDbEventStore } from '../../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js';
import type { Certificate } from '../../support/esdb-double/certificate.js';
import { EsdbDouble } from '../../support/esdb-double/server.js';
import { PATIENCE_MS } from '../../support/until.js';
import type { StoreUnderTest } from './store-under-test.js';

/** Starts an EventStoreDB double and connects the store under test to it. */
export async function doubleUnderTest(
  certificate?: Certificate,
  urlOf = (node: EsdbDouble): string => node.connectionString,
): Promise<StoreUnderTest> {
  const node = await new EsdbDouble(undefined, certificate).start();
  const stores: EventStoreDbEventStore[] = [];
  const connect = async (): Promise<EventStoreDbEventStore> => {
    const store = new EventStoreDbEventStore(urlOf(node), PATIENCE_MS);
    stores.push(store);
    return store;
  };
  const cleanup = async (): Promise<void> => {
    for (const store of stores) await store.close();
    node.stop();
  };
  return { store: await connect(), connect, fresh: true, cleanup };
}
