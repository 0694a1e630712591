import { afterAll, beforeAll } from '@jest/globals';
import { createPool } from '../../../src/platform/database/pg-pool.js';
import { PostgresEventStore } from '../../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { eventStoreContract } from './contract.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

eventStoreContract('Postgres', async () => {
  await database.pool.query('truncate events');
  const closing: (() => Promise<void>)[] = [];
  const connect = async (): Promise<PostgresEventStore> => {
    const pool = createPool(database.url, () => {});
    const store = new PostgresEventStore(pool);
    closing.push(async () => {
      await store.close();
      await pool.end();
    });
    return store;
  };
  const cleanup = async (): Promise<void> => {
    await Promise.all(closing.map((close) => close()));
  };
  return { store: await connect(), connect, fresh: true, cleanup };
});
