import { ProjectionProgress } from '../../projections/runtime/progress.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase } from '../support/postgres.js';
import { PATIENCE_MS } from '../support/until.js';
import { openBooks } from './books.js';

/**
 * Kept books with their read models, in PostgreSQL wherever other logs are: nothing is billed, nothing is written.
 * @param oneIn of so many customers one
 */
export async function openedBooks(name: string, oneIn?: number): Promise<TestApp> {
  const database = await createTestDatabase('recount_with_read_models');
  await openBooks(database.pool, name, oneIn);
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
