import { EventStoreDbEventStore } from '../../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js';
import { nodeUrl } from '../../support/event-log.js';
import { eventStoreContract } from './contract.js';

const url = nodeUrl();

/** The same rules on a real node, whose log holds other events already. */
eventStoreContract('EventStoreDB, a node', async () => {
  const stores: EventStoreDbEventStore[] = [];
  const connect = async (): Promise<EventStoreDbEventStore> => {
    const store = new EventStoreDbEventStore(url);
    stores.push(store);
    return store;
  };
  const cleanup = async (): Promise<void> => {
    for (const store of stores) await store.close();
  };
  return { store: await connect(), connect, fresh: false, cleanup };
});
