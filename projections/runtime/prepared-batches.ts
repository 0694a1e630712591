import { createHash } from 'node:crypto';
import type pg from 'pg';
import { sqlState } from '../../src/platform/database/sql-state.js';

/** Number of times that a statement runs before it is prepared: rare ones would stay in the memory of PostgreSQL. */
const RUNS_BEFORE = 1;
/** Number of statements that are prepared. */
const MOST = 60;

/** SQLSTATE of a prepared statement that did not run, as the type of a column is another than when it was prepared. */
const RESULT_TYPE_CHANGED = '0A000';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Prepares the statements that come again, so that PostgreSQL parses and plans each once per connection: for a batch of one
 * row that takes ten times as long as the work itself. The plans have to suit tables of any size, so the pool is
 * `ReservedPools.readModels` (docs/adr/0094-batches-of-projections-are-prepared.md).
 */
export function preparing(pool: pg.Pool): Pick<pg.Pool, 'query'> {
  const runs = new Map<string, number>();
  const prepared = new Set<string>();
  const planned = (statement: Statement) => pool.query(statement as pg.QueryConfig);
  const query = (statement: Statement) => {
    const name = createHash('sha1').update(statement.text).digest('base64');
    if (prepared.has(name))
      return pool.query({ name, ...statement } as pg.QueryConfig).catch((error: unknown) => {
        if (sqlState(error) === RESULT_TYPE_CHANGED) return planned(statement);
        throw error;
      });
    const count = (runs.get(name) ?? 0) + 1;
    if (count > RUNS_BEFORE && prepared.size < MOST) {
      prepared.add(name);
      runs.delete(name);
    } else if (prepared.size < MOST) runs.set(name, count);
    return planned(statement);
  };
  return { query: query as pg.Pool['query'] };
}
