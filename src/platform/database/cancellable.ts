import type pg from 'pg';
import { serverOf } from './session.js';

/** Pools and signal of statements that are cancelled when the signal aborts. */
export interface CancellableReads {
  readonly pool: pg.Pool;
  readonly signal: AbortSignal;
  /** Pool through which statements are cancelled. */
  readonly cancelThrough: pg.Pool;
}

/**
 * Runs reads on a connection. When the signal aborts, PostgreSQL cancels the statement under way. The connection returns to
 * the pool only after the cancellation has arrived, as it could hit the next statement, and is closed if that is unknown.
 * @throws the signal's reason once it has aborted
 */
export async function withCancellableClient<Result>(
  { pool, signal, cancelThrough }: CancellableReads,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = await pool.connect();
  let cancelled: Promise<boolean> | undefined;
  const cancel = (): void => {
    cancelled = cancelThrough.query('select pg_cancel_backend($1)', [serverOf(client)]).then(
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

/** Rolls back, which PostgreSQL does only after it has handled the cancellation sent before. */
const isRolledBack = (client: pg.PoolClient): Promise<boolean> =>
  client.query('rollback').then(
    () => true,
    () => false,
  );
