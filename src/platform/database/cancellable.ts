import type pg from 'pg';

/** Where statements run that nobody waits for any more when a signal aborts. */
export interface CancellableReads {
  readonly pool: pg.Pool;
  readonly signal: AbortSignal;
  /** Its connections tell PostgreSQL to end a statement. */
  readonly cancelThrough: pg.Pool;
}

/**
 * Lends a connection for reads. When the signal aborts, PostgreSQL ends the statement under way, and the connection is
 * thrown away: a cancellation that comes late must not meet the statement of somebody else.
 * @throws the signal's reason once it has aborted
 */
export async function withCancellableClient<Result>(
  { pool, signal, cancelThrough }: CancellableReads,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = await pool.connect();
  const { processID } = client as pg.PoolClient & { readonly processID: number };
  const cancel = (): void => {
    cancelThrough.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
  };
  let failed = false;
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    return await work(client);
  } catch (error) {
    failed = true;
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    client.release(failed || signal.aborted);
  }
}
