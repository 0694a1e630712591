import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createReadModels } from '../../../projections/runtime/read-model-tables.js';
import { ProjectionProgress } from '../../../projections/runtime/progress.js';
import { ProjectionHost } from '../../../projections/runtime/projection-host.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { PATIENCE_MS } from '../../support/until.js';
import { freshFold, storedRows } from './fresh-fold.js';
import { type ConnectionFailure, fragilePool } from './fragile-pool.js';
import { RecordedLog } from './recorded-log.js';
import { append, HISTORY, walletsProjection } from './wallets.js';

/**
 * Statements of a batch: a load per table, then one that moves the checkpoint, upserts and deletes wallets,
 * and upserts totals.
 */
const STATEMENTS = [1, 2, 3];

describe('a projection whose session is killed', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** Projects part of the history, the rest in one batch with the failure, and then more events. */
  async function runInto(failure: ConnectionFailure): Promise<void> {
    const projection = walletsProjection(`${failure.when}_${failure.statement}`);
    const store = new InMemoryEventStore();
    await createReadModels(database.pool, [projection]);
    const progress = new ProjectionProgress(database.pool, [projection]);
    const caughtUp = async (): Promise<boolean> => progress.waitFor((await store.head())!, PATIENCE_MS);
    const start = (pool: pg.Pool): ProjectionHost => {
      const host = new ProjectionHost(store, pool, pool, [projection], progress, new RecordedLog());
      host.start();
      return host;
    };

    await append(store, ...HISTORY.slice(0, 3));
    const healthy = start(database.pool);
    expect(await caughtUp()).toBe(true);
    await healthy.stop();

    await append(store, ...HISTORY.slice(3));
    const failing = start(fragilePool(database.pool, failure));
    try {
      expect(await caughtUp()).toBe(true);
      await append(store, ...HISTORY.slice(-2));
      expect(await caughtUp()).toBe(true);
    } finally {
      await failing.stop();
    }
    expect(await storedRows(projection, database.pool)).toEqual(await freshFold(projection, store));
  }

  it.each(STATEMENTS)(
    'before statement %i of a batch has the rows of a fresh fold in the end',
    async (statement) => {
      const failure: ConnectionFailure = { statement, when: 'before', happened: false };
      await runInto(failure);
      expect(failure.happened).toBe(true);
    },
  );

  it.each(STATEMENTS)('before the answer to statement %i arrives has them, too', async (statement) => {
    const failure: ConnectionFailure = { statement, when: 'after', happened: false };
    await runInto(failure);
    expect(failure.happened).toBe(true);
  });

  it('has been killed at every statement there is', async () => {
    const counted: ConnectionFailure = { statement: 99, when: 'before', happened: false };
    await runInto(counted);
    expect(counted.statementsOfFirst).toBe(STATEMENTS.length);
  });
});
