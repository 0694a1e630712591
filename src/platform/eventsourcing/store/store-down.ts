import { describeSchemaFault } from '../../database/schema-faults.js';
import { sqlState } from '../../database/sql-state.js';
import { AppendOutcomeUnknown, StoreUnavailable } from './event-store.js';

/** Returns whether an error means that a store is down for every caller. */
export const isStoreDown = (error: unknown): boolean =>
  error instanceof StoreUnavailable || error instanceof AppendOutcomeUnknown || isDatabaseDown(error);

/**
 * Describes data that cannot be read, so that a check names it and goes on.
 * @throws the error if a store is down: then nothing else can be checked
 */
export function describeUnreadable(error: unknown): string {
  if (sqlState(error) === READ_ONLY)
    return 'this is not compared, as the database is read-only: ask the primary server';
  if (isStoreDown(error)) throw error;
  return describeSchemaFault(error) ?? (error instanceof Error ? error.message : String(error));
}

const CONNECTION_ERRORS = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENOENT'.split(' '),
);
/** System calls on files; a missing file has the code ENOENT too. */
const FILE_CALLS = new Set(['open', 'stat', 'lstat', 'access', 'unlink', 'scandir', 'mkdir', 'rename']);
/** State of a statement that writes on a standby, such as a former primary server, or where an operator has forbidden it. */
const READ_ONLY = '25006';
/** SQLSTATE classes of a server that cannot serve now: connection, read-only, resources, operator intervention, system. */
const SERVER_ERRORS = /^(08...|25006|53...|57...|58...)$/;
/** Messages of errors of `pg` that have no code. */
const POOL_ERRORS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Query read timeout)/;

/** Checks the properties of an error, not its class: errors of Node may come from another realm. */
export function isDatabaseDown(error: unknown): boolean {
  const { code, syscall, severity, message, errors } = (error ?? {}) as Record<string, unknown>;
  if (Array.isArray(errors)) return errors.some(isDatabaseDown);
  if (typeof code === 'string') {
    const isOfSocket = CONNECTION_ERRORS.has(code) && typeof syscall === 'string' && !FILE_CALLS.has(syscall);
    return isOfSocket || (severity !== undefined && SERVER_ERRORS.test(code));
  }
  return typeof message === 'string' && POOL_ERRORS.test(message);
}
