import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.js';
import { KEY_BYTES } from './ciphers.js';

export interface MasterKeyConfig {
  /** MASTER_KEY: 32 bytes, base64 or hex. */
  readonly masterKey?: string | undefined;
  /** URL of a database that is not embedded, which requires a master key. */
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
}

/**
 * Returns the key that wraps every data subject's key. For an embedded database it is created in `DATA_DIR/master.key`. For
 * another database, which outlives this machine, the operator has to keep and set it.
 * @throws Error with a sentence for the operator
 */
export function loadMasterKey({ masterKey, databaseUrl, dataDir }: MasterKeyConfig): Buffer {
  if (masterKey !== undefined) return readMasterKey(masterKey, 'MASTER_KEY');
  if (databaseUrl !== undefined) {
    throw new Error(
      'MASTER_KEY is required with DATABASE_URL: 32 random bytes in base64 or hex, for example from ' +
        '`openssl rand -base64 32`. Keep it: without it no personal data can be read again.',
    );
  }
  return storedMasterKey(dataDir);
}

function readMasterKey(text: string, source: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-fA-F]{64}$/.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)
      ? Buffer.from(trimmed, 'base64')
      : undefined;
  if (key?.length !== KEY_BYTES) throw new Error(`${source} must be 32 bytes in base64 or hex.`);
  return key;
}

function storedMasterKey(dataDir: string): Buffer {
  const file = join(dataDir, 'master.key');
  const known = readIfExists(file);
  if (known !== undefined) return readMasterKey(known, file);
  makeKeyFile(file);
  return readMasterKey(readFileSync(file, 'utf8'), file);
}

/**
 * Writes 32 random bytes in base64 to a file that only its owner can read. The file gets its name when it is complete and
 * on disk; the file of the first of several processes stays.
 */
export function makeKeyFile(file: string): void {
  makeFolder(dirname(file));
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
    fsyncSync(handle);
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(handle);
    rmSync(draft);
  }
}

/** Reads a file; returns undefined if it does not exist. */
export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
