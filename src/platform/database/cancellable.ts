import type pg from 'pg';

/** Where statements run that nobody waits for any more when a signal aborts. */
export interface CancellableReads {
  readonly pool: pg.Pool;
  readonly signal: AbortSignal;
  /** Its connections tell PostgreSQL to end a statement. */
  readonly cancelThrough: pg.Pool;
}

/**
 * Lends a connection for reads. When the signal aborts, PostgreSQL ends the statement under way. The connection is given
 * back when the cancellation has arrived, as it must not meet the statement of somebody else, and thrown away only where
 * that cannot be known: a new connection costs as much as many statements.
 * @throws the signal's reason once it has aborted
 */
export async function withCancellableClient<Result>(
  { pool, signal, cancelThrough }: CancellableReads,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = await pool.connect();
  const { processID } = client as pg.PoolClient & { readonly processID: number };
  let cancelled: Promise<boolean> | undefined;
  const cancel = (): void => {
    cancelled = cancelThrough.query('select pg_cancel_backend($1)', [processID]).then(
      () => true,
      () => false,
    );
  };
  let isClean = false;
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    const result = await work(client);
    isClean = true;
    return result;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    if (cancelled) isClean = (await cancelled) && (await isRolledBack(client));
    client.release(!isClean);
  }
}

/** PostgreSQL takes a statement only after a cancellation that was sent before it. */
const isRolledBack = (client: pg.PoolClient): Promise<boolean> =>
  client.query('rollback').then(
    () => true,
    () => false,
  );
