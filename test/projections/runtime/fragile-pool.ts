import type pg from 'pg';

/** Failure of the connection of a projection at one statement of a batch. */
export interface ConnectionFailure {
  /** Number of the statement that fails, counted from 1 over the statements of batches, loads first. */
  readonly statement: number;
  /**
   * `before`: the session is killed, the statement fails. `after`: it is executed, and the answer is lost.
   */
  readonly when: 'before' | 'after';
  happened: boolean;
  /** Number of statements of the first batch. */
  statementsOfFirst?: number;
}

const LOAD = /^select given\./;
const WRITE = /^with moved as/;

/** Wraps a pool so that its first batch fails as described; everything else passes through. */
export function fragilePool(pool: pg.Pool, failure: ConnectionFailure): pg.Pool {
  let seen = 0;

  async function query(...args: [string | pg.QueryConfig, unknown[]?]): Promise<unknown> {
    const text = typeof args[0] === 'string' ? args[0] : args[0].text;
    const isOfBatch = LOAD.test(text) || WRITE.test(text);
    if (!isOfBatch || failure.happened || (seen += 1) < failure.statement) {
      if (WRITE.test(text)) failure.statementsOfFirst ??= seen;
      return Reflect.apply(pool.query, pool, args);
    }
    failure.happened = true;
    const client = await pool.connect();
    const run = (): Promise<unknown> => Reflect.apply(client.query, client, args);
    try {
      if (failure.when === 'after') await run();
      const { processID } = client as pg.PoolClient & { processID: number };
      await pool.query('select pg_terminate_backend($1, 5000)', [processID]);
      if (failure.when === 'after') throw new Error('Connection terminated unexpectedly');
      return await run();
    } finally {
      client.release(true);
    }
  }

  return new Proxy(pool, {
    get(target, name) {
      if (name === 'query') return query;
      return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
    },
  });
}
