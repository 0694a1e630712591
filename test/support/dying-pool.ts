import type { Pool, PoolClient } from 'pg';

/** Connections that break at a statement, as those of a process that dies. */
export function dyingAfter(pool: Pool, statements: number): Pool {
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    let left = statements;
    return new Proxy(client, {
      get(target, name) {
        if (name === 'release') return () => target.release(true);
        const value = Reflect.get(target, name) as unknown;
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
        return async (...args: unknown[]) => {
          left -= 1;
          if (left < 0) throw new Error('Query read timeout');
          return (value as (...all: unknown[]) => Promise<unknown>).apply(target, args);
        };
      },
    });
  };
  return { connect } as unknown as Pool;
}
