import { AppendOutcomeUnknown, StoreUnavailable } from './event-store.js';

/** Returns whether something failed because a store is down, and would fail for every caller. */
export const isStoreDown = (error: unknown): boolean =>
  error instanceof StoreUnavailable || error instanceof AppendOutcomeUnknown || isDatabaseDown(error);

const CONNECTION_ERRORS = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENOENT'.split(' '),
);
/** Calls on files: a missing file is ENOENT, too. */
const OF_FILES = new Set(['open', 'stat', 'lstat', 'access', 'unlink', 'scandir', 'mkdir', 'rename']);
/** SQLSTATE classes of a server that cannot serve now: connection, resources, operator intervention, system. */
const SERVER_TROUBLE = /^(08|53|57|58)...$/;
/** Messages of `pg`, without a code, when its pool or a connection gives up. */
const POOL_TROUBLE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Query read timeout)/;

/** Recognises errors by their properties and not by their class: errors of Node may come from another realm. */
export function isDatabaseDown(error: unknown): boolean {
  const { code, syscall, severity, message, errors } = (error ?? {}) as Record<string, unknown>;
  if (Array.isArray(errors)) return errors.some(isDatabaseDown);
  if (typeof code === 'string') {
    const isOfSocket = CONNECTION_ERRORS.has(code) && typeof syscall === 'string' && !OF_FILES.has(syscall);
    return isOfSocket || (severity !== undefined && SERVER_TROUBLE.test(code));
  }
  return typeof message === 'string' && POOL_TROUBLE.test(message);
}
