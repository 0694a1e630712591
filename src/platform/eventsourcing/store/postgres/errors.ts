import { isStatementError, sqlState } from '../../../database/statements.js';
import { StoreUnavailable } from '../event-store.js';

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
