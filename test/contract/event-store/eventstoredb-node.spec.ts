import { EventStoreDbEventStore } from '../../../src/platform/event-store/eventstoredb/eventstoredb-event-store.js';
import { eventStoreContract } from './contract.js';

const url = process.env['EVENTSTORE_URL'];
if (!url)
  throw new Error('EVENTSTORE_URL names the node to test: EVENTSTORE_URL=esdb://… npm run test:eventstore');

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
