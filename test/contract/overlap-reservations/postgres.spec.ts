import { afterAll, beforeAll } from '@jest/globals';
import { Database } from '../../../src/platform/database/open-database.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { OverlapReservations } from '../../../src/subscription/overlap-reservations.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { overlapReservationsContract } from './contract.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

overlapReservationsContract(
  'PostgreSQL',
  async () =>
    new OverlapReservations(new Database(test.pool, test.url, async () => {}), new InMemoryEventStore()),
);
