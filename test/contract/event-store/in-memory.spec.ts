import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { eventStoreContract } from './contract.js';

eventStoreContract('in-memory', async () => {
  const store = new InMemoryEventStore();
  return { store, connect: async () => store, fresh: true, cleanup: () => store.close() };
});
