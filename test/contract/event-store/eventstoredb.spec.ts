import { EventStoreDbEventStore } from '../../../src/platform/eventsourcing/store/eventstoredb/eventstoredb-event-store.js';
import { EsdbDouble } from '../../support/esdb-double/server.js';
import { eventStoreContract } from './contract.js';

eventStoreContract('EventStoreDB, on the wire', async () => {
  const node = await new EsdbDouble().start();
  const stores: EventStoreDbEventStore[] = [];
  const connect = async (): Promise<EventStoreDbEventStore> => {
    const store = new EventStoreDbEventStore(node.connectionString);
    stores.push(store);
    return store;
  };
  const cleanup = async (): Promise<void> => {
    for (const store of stores) await store.close();
    node.stop();
  };
  return { store: await connect(), connect, fresh: true, cleanup };
});
