import type pg from 'pg';

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
