import type pg from 'pg';

/** What the connection of a projection's transaction suffers at one of its statements. */
export interface Mishap {
  /** Counts the statements of transactions from 1, `begin` first; the mishap meets this one. */
  readonly statement: number;
  /** `before`: the session is killed and the statement fails. `after`: it is carried out, and the answer is lost. */
  readonly when: 'before' | 'after';
  happened: boolean;
  /** How many statements the first transaction had. */
  statementsOfFirst?: number;
}

/** A pool over the given one whose first transaction meets the mishap; everything else passes through. */
export function fragilePool(pool: pg.Pool, mishap: Mishap): pg.Pool {
  let seen = 0;
  const inTransaction = new Set<pg.PoolClient>();

  async function query(client: pg.PoolClient, args: unknown[]): Promise<unknown> {
    const run = (): Promise<unknown> => Reflect.apply(client.query, client, args);
    if (args[0] === 'begin') inTransaction.add(client);
    if (!inTransaction.has(client) || mishap.happened || (seen += 1) < mishap.statement) {
      if (args[0] === 'commit') mishap.statementsOfFirst ??= seen;
      return run();
    }
    mishap.happened = true;
    if (mishap.when === 'after') await run();
    const { processID } = client as pg.PoolClient & { processID: number };
    await pool.query('select pg_terminate_backend($1, 5000)', [processID]);
    if (mishap.when === 'after') throw new Error('Connection terminated unexpectedly');
    return run();
  }

  return new Proxy(pool, {
    get(target, name) {
      if (name !== 'connect') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
      return async () => {
        const client = await target.connect();
        return new Proxy(client, {
          get: (_, member) => {
            if (member === 'query') return (...args: unknown[]) => query(client, args);
            const value = Reflect.get(client, member) as unknown;
            return typeof value === 'function' ? value.bind(client) : value;
          },
        });
      };
    },
  });
}
