import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import {
  CheckpointMover,
  CheckpointTaken,
  liveBuild,
  loadCheckpoint,
} from '../../../projections/runtime/checkpoint.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import type { Position } from '../../../src/kernel/event.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { BEFORE_ALL } from '../../../src/kernel/event.js';

const at = (place: bigint): Position => ({ commit: place, prepare: place });
const names = ['customers', 'invoices', 'plans', 'subscriptions'];
const projections = names.map((name) => ({ name, version: 1 }));

describe('checkpoints that pass events which change no row', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('truncate projection_checkpoints');
    for (const projection of projections) await liveBuild(database.pool, projection as Projection);
  });
  afterAll(() => database.drop());

  const counting = () => {
    const counted = { statements: 0 };
    const query = (statement: pg.QueryConfig): Promise<pg.QueryResult> => {
      counted.statements++;
      return database.pool.query(statement);
    };
    return { counted, pool: { query } as Pick<pg.Pool, 'query'> };
  };
  const stored = async (): Promise<bigint[]> => {
    const all = await Promise.all(projections.map((projection) => loadCheckpoint(database.pool, projection)));
    return all.map(({ position }) => position.commit);
  };

  it('that come in one turn of the event loop move by one statement', async () => {
    const { counted, pool } = counting();
    const moves = new CheckpointMover(pool);
    const to = at(7n);
    await Promise.all(
      projections.map((projection) =>
        moves.move({ projection, from: BEFORE_ALL, to, store: undefined, epoch: 0n }),
      ),
    );
    expect(await stored()).toEqual([7n, 7n, 7n, 7n]);
    expect(counted.statements).toBe(1);
  });

  it('one that another process has moved is refused, and the others move', async () => {
    const moves = new CheckpointMover(database.pool);
    const outcomes = await Promise.allSettled(
      projections.map((projection, place) =>
        moves.move({
          projection,
          from: place === 2 ? at(3n) : BEFORE_ALL,
          to: at(5n),
          store: undefined,
          epoch: 0n,
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect((outcomes[2] as PromiseRejectedResult).reason).toBeInstanceOf(CheckpointTaken);
    expect(await stored()).toEqual([5n, 5n, -1n, 5n]);
  });

  it("a statement that fails is everybody's failure who shared it, and the next goes through", async () => {
    let fails = true;
    const query = (statement: pg.QueryConfig): Promise<pg.QueryResult> =>
      fails ? Promise.reject(new Error('connection lost')) : database.pool.query(statement);
    const moves = new CheckpointMover({ query } as Pick<pg.Pool, 'query'>);
    const move = { projection: projections[0]!, from: BEFORE_ALL, to: at(2n), store: undefined, epoch: 0n };
    await expect(moves.move(move)).rejects.toThrow('connection lost');
    fails = false;
    await moves.move(move);
    expect((await stored())[0]).toBe(2n);
  });
});
