import type pg from 'pg';

/** What the connection of a projection suffers at one statement of a batch. */
export interface Mishap {
  /** Counts the statements of batches from 1, loads first; the mishap meets this one. */
  readonly statement: number;
  /** `before`: the session is killed and the statement fails. `after`: it is carried out, and the answer is lost. */
  readonly when: 'before' | 'after';
  happened: boolean;
  /** How many statements the first batch had. */
  statementsOfFirst?: number;
}

const LOAD = /^select given\./;
const WRITE = /^with moved as/;

/** A pool over the given one whose first batch meets the mishap; everything else passes through. */
export function fragilePool(pool: pg.Pool, mishap: Mishap): pg.Pool {
  let seen = 0;

  async function query(...args: [string | pg.QueryConfig, unknown[]?]): Promise<unknown> {
    const text = typeof args[0] === 'string' ? args[0] : args[0].text;
    const isOfBatch = LOAD.test(text) || WRITE.test(text);
    if (!isOfBatch || mishap.happened || (seen += 1) < mishap.statement) {
      if (WRITE.test(text)) mishap.statementsOfFirst ??= seen;
      return Reflect.apply(pool.query, pool, args);
    }
    mishap.happened = true;
    const client = await pool.connect();
    const run = (): Promise<unknown> => Reflect.apply(client.query, client, args);
    try {
      if (mishap.when === 'after') await run();
      const { processID } = client as pg.PoolClient & { processID: number };
      await pool.query('select pg_terminate_backend($1, 5000)', [processID]);
      if (mishap.when === 'after') throw new Error('Connection terminated unexpectedly');
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
