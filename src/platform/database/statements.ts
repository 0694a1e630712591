import type pg from 'pg';
import type { Pool } from 'pg';
import { hash } from 'node:crypto';
import type { Compilable } from 'kysely';

/**
 * Runs the work in one transaction on one connection of the pool; what it throws rolls back. A connection that cannot
 * even roll back is thrown away. When it broke at the commit, the outcome is unknown to the caller.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A statement that was not answered in time is still under way: nothing can be said on its connection.
    broken = error instanceof Error && error.message === 'Query read timeout';
    if (!broken) await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Runs a query of Kysely as a prepared statement, which each connection parses and resolves once: for a join of three
 * read models that takes PostgreSQL 0.7 ms, running it 0.1 ms. For statements with few forms, as each form is kept by each
 * connection: lists of values go into an array, not into one parameter each.
 */
export async function executePrepared<Row extends object>(
  pool: Pool,
  name: string,
  query: Compilable<Row>,
): Promise<Row[]> {
  const { sql, parameters } = query.compile();
  // The driver refuses one name for two texts.
  const form = hash('sha1', sql).slice(0, 12);
  const { rows } = await pool.query<Row>({ name: `${name}-${form}`, text: sql, values: [...parameters] });
  return rows;
}

/**
 * SQLSTATE classes that speak of the server or the connection, not of the statement: connection, transaction state
 * (idle too long, read-only after a failover), resources, lock not available, operator intervention, system.
 */
const TROUBLE = new Set(['08', '25', '53', '55', '57', '58']);

/** A fault of this statement on these values: another statement, or the same one later, may do no better. */
export function isStatementError(error: unknown): boolean {
  const code = sqlState(error);
  return code !== undefined && !TROUBLE.has(code.slice(0, 2));
}

/** Only what the server reported has one; Node's socket errors carry names such as ECONNRESET. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
