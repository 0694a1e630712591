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
