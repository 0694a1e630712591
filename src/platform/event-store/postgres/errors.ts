import { StoreUnavailable } from '../event-store.js';

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

/**
 * The server says that the transaction failed. Where it says that it shuts the session down (57P), or nothing at all, a
 * commit may have come before.
 */
export function wasRolledBack(error: unknown): boolean {
  const code = sqlState(error);
  return code !== undefined && !code.startsWith('57P');
}

/** Errors of a statement stay as they are; everything else means that the store does not answer. */
export function asStoreError(error: unknown): Error {
  if (error instanceof Error && (isStatementError(error) || error instanceof StoreUnavailable)) return error;
  return new StoreUnavailable(`the event store does not answer: ${messageOf(error)}`, { cause: error });
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Only what the server reported has one; Node's socket errors carry names such as ECONNRESET. */
function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
