import { ProjectionProgress } from '../../projections/runtime/progress.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase } from '../support/postgres.js';
import { PATIENCE_MS } from '../support/until.js';
import { loadBooks } from './books.js';

/**
 * Opens stored books with their read models, in PostgreSQL for any event store, without billing or other writes.
 * @param oneIn reads one customer in this many
 */
export async function startOnBooks(name: string, oneIn?: number): Promise<TestApp> {
  const database = await createTestDatabase('recount_with_read_models');
  await loadBooks(database.pool, name, oneIn);
  const app = await startTestApp({
    databaseUrl: database.url,
    eventStoreUrl: '',
    env: { ROLES: 'projections' },
  });
  const head = await app.service.app.get<EventStore>(EVENT_STORE).head();
  if (!(await app.service.app.get(ProjectionProgress).waitFor(head!, PATIENCE_MS)))
    throw new Error(`The read models of the books ${name} do not reach the end of their log.`);
  return {
    ...app,
    stop: async () => {
      await app.stop();
      await database.drop();
    },
  };
}
