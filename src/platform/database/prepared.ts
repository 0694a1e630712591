import { hash } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { Pool } from 'pg';

/**
 * Runs a query of Kysely as a prepared statement, which each connection parses and plans once: planning a join of three
 * read models takes PostgreSQL 0.7 ms, running it 0.1 ms. For statements with few forms, as each form is kept by each
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
