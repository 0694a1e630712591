import { ProjectionProgress } from '../../projections/runtime/progress.js';
import { EVENT_STORE, type EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, sharedTemplate, type TestDatabase } from '../support/postgres.js';
import { PATIENCE_MS } from '../support/until.js';
import { loadBooks } from './books.js';

/**
 * Opens stored books with their read models, in PostgreSQL for any event store, without billing or other writes.
 * @param oneIn reads one customer in this many
 */
export async function startOnBooks(name: string, oneIn?: number): Promise<TestApp> {
  const database = await createTestDatabase('recount_with_read_models');
  await loadBooks(database.pool, name, oneIn);
  return startOn(database, name);
}

/** Opens the books of a policy, which several specs read: their read models are made once in a test run. */
export async function startOnWholeBooks(policy: string): Promise<TestApp> {
  const template = await sharedTemplate(`test_books_${policy.replace('-', '_')}`, async (made) => {
    await loadBooks(made.pool, policy);
    await (await startProjected(made, policy)).stop();
  });
  return startOn(await createTestDatabase(template), policy);
}

/** Starts the service on books; its `stop` drops the database. */
async function startOn(database: TestDatabase, name: string): Promise<TestApp> {
  const app = await startProjected(database, name);
  return {
    ...app,
    stop: async () => {
      await app.stop();
      await database.drop();
    },
  };
}

/** Starts the service and waits until its read models have every event. */
async function startProjected({ url }: TestDatabase, name: string): Promise<TestApp> {
  const app = await startTestApp({ databaseUrl: url, eventStoreUrl: '', env: { ROLES: 'projections' } });
  const head = await app.service.app.get<EventStore>(EVENT_STORE).head();
  if (!(await app.service.app.get(ProjectionProgress).waitFor(head!, PATIENCE_MS)))
    throw new Error(`The read models of the books ${name} do not reach the end of their log.`);
  return app;
}
