import type { Pool, PoolClient } from 'pg';
import { Trees } from '../../src/transparency/trees.js';
import type { TestApp } from './app.js';

/** Returns a pool whose connections break after some statements, as those of a process that dies. */
export function breakingAfter(pool: Pool, statements: number): Pool {
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

/** Deletes the Merkle trees and pauses the worker that would build them again. @returns resumes the worker */
export async function deleteTrees({ pool, service }: TestApp): Promise<() => void> {
  const trees = service.app.get(Trees);
  trees.follow = async () => ({ events: 0, isLevel: true });
  await pool.query(`with moved as (update transparency_progress set commit = -1, prepare = -1),
    tiles as (delete from transparency_tiles) delete from transparency_trees`);
  return () => (trees.follow = Trees.prototype.follow);
}
