import { relative, resolve } from 'node:path';
import type { Config } from './platform/config/config.js';
import { sqlState } from './platform/database/sql-state.js';

type StartConfig = Pick<Config, 'dataDir' | 'host' | 'managementPort'>;

/** Describes why the service did not start: the setting that is wrong, then what to do. */
export function startFailure(error: unknown, config: StartConfig): string {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const sentence = syscall === 'listen' ? portFailure(error as ListenError, config) : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return (
    sentence ??
    databaseFailure(error, message) ??
    (code && folderFailure(error as NodeJS.ErrnoException, config)) ??
    message
  );
}

const [NO_RIGHT, NO_SCHEMA, DEPENDENTS] = ['42501', '3F000', '2BP01'];

/** Describes what a database refuses that the service creates. @param message of PostgreSQL */
function databaseFailure(error: unknown, message: string): string | undefined {
  const state = sqlState(error) ?? sqlState((error as Error | undefined)?.cause);
  if (state === NO_RIGHT) {
    return `The role of DATABASE_URL lacks a right: ${message}. Let it own the database, or grant it what docs/operating.md#a-server-of-your-own names.`;
  }
  if (state === DEPENDENTS) {
    const { detail = message } = error as Error & { detail?: string };
    return `This release replaces views that others depend on: ${detail.replaceAll('\n', '; ')}. Drop those, start the service, and create them again.`;
  }
  if (state === NO_SCHEMA) {
    return `The database has no schema for the tables of the service: ${message}. Create one of the search path (docs/operating.md#a-server-of-your-own).`;
  }
  return undefined;
}

interface ListenError extends NodeJS.ErrnoException {
  readonly port?: number;
}

function portFailure({ code, port }: ListenError, { host, managementPort }: StartConfig): string | undefined {
  const setting = port === managementPort ? 'MANAGEMENT_PORT' : 'PORT';
  if (code === 'EADDRINUSE') {
    return `${setting} ${port} of ${host} is in use already. Stop the process that listens there, or set ${setting} to another port.`;
  }
  if (code === 'EACCES') {
    return `${setting} ${port} may not be opened by the account of this process. Set ${setting} to a port from 1024 on.`;
  }
  if (code === 'EADDRNOTAVAIL') {
    return `HOST ${host} is no address of this machine. Set HOST to one of its addresses, or to 0.0.0.0 for all.`;
  }
  return undefined;
}

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'the account of this process lacks the right to',
  EPERM: 'the account of this process lacks the right to',
  EROFS: 'the file system is read-only',
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of this name',
  ENOSPC: 'the disk is full',
};

/** Describes an error of a file or folder in `DATA_DIR`, or of a folder above it. */
function folderFailure({ code, path }: NodeJS.ErrnoException, { dataDir }: StartConfig): string | undefined {
  const cause = CAUSES[code!];
  if (cause === undefined || path === undefined) return undefined;
  const folder = resolve(dataDir);
  if (!contains(folder, resolve(path)) && !contains(resolve(path), folder)) return undefined;
  return `DATA_DIR ${folder} cannot be used: ${resolve(path)} cannot be read or written, as ${cause} (${code}). Mend that, or set DATA_DIR to a folder that the account of this process may write.`;
}

const contains = (folder: string, path: string): boolean => !/^\.\.(?:\/|\\|$)/.test(relative(folder, path));
