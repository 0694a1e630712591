import pg from 'pg';
import { Database } from '../../src/platform/database/open-database.js';

/** Records every SQL statement that some work sends. */
export async function statementsOf(
  pool: pg.Pool,
  work: (database: Database) => Promise<unknown>,
): Promise<pg.QueryConfig[]> {
  const statements: pg.QueryConfig[] = [];
  const client = await pool.connect();
  /** Queries of the work may be concurrent, but a client runs one at a time. */
  let turn: Promise<unknown> = Promise.resolve();
  const recording = {
    query: (statement: pg.QueryConfig | string, values?: unknown[]) => {
      if (typeof statement !== 'string') statements.push(statement);
      else if (values) statements.push({ text: statement.replace(/^declare .*? for /s, ''), values });
      const answer = turn.then(() => client.query(statement as string, values));
      turn = answer.catch(() => undefined);
      return answer;
    },
    release: () => {},
  };
  const recorder = { ...recording, connect: async () => recording } as unknown as pg.Pool;
  await work(new Database(recorder, '', async () => {})).finally(() => client.release());
  return statements;
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Executes statements again and counts the rows of a table that they read, filtered ones included. It uses generic
 * plans, which PostgreSQL eventually caches for a named statement.
 */
export async function rowsRead(
  pool: pg.Pool,
  table: string,
  statements: readonly pg.QueryConfig[],
): Promise<number> {
  let rows = 0;
  const client = await pool.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    // EXPLAIN reports rows of parallel workers as an average.
    await client.query('set max_parallel_workers_per_gather = 0');
    for (const { text, values = [] } of statements) {
      await client.query(`prepare looked_at as ${text}`);
      const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) execute looked_at (${values.map(literalOf).join(', ')})`,
      );
      await client.query('deallocate looked_at');
      rows += rowsOf(explained.rows[0]!['QUERY PLAN'][0].Plan, table);
    }
    await client.query('reset plan_cache_mode');
    await client.query('reset max_parallel_workers_per_gather');
  } finally {
    client.release();
  }
  return rows;
}

/** Formats an argument of EXECUTE, which accepts no parameters. */
const literalOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value)
    ? pg.escapeLiteral(`{${value.map(elementOf).join(',')}}`)
    : pg.escapeLiteral(String(value));
};

const elementOf = (value: unknown): string =>
  value === null ? 'null' : `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;

function rowsOf(node: PlanNode, table: string): number {
  const { Plans: below = [], 'Relation Name': relation, 'Actual Loops': loops } = node;
  const looked =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  const own = relation === table ? Math.round(looked * loops) : 0;
  return below.reduce((sum, one) => sum + rowsOf(one, table), own);
}
