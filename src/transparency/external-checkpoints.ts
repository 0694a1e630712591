import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileFault } from '../kernel/file-fault.js';
import { fromWireId } from '../kernel/ids.js';
import { parseCheckpoint } from './domain/checkpoint.js';
import { parseNote } from './domain/note.js';
import type { SignedHead } from './tree-audit.js';

/** Checkpoints of a directory, and a sentence for each file that is none. */
export interface ExternalCheckpoints {
  readonly heads: readonly SignedHead[];
  readonly faults: readonly string[];
}

/**
 * Reads checkpoints stored outside of the database, such as those of `AUDIT_DIRECTORY`. It does not check
 * their signatures: it trusts the directory, because an administrator of the database cannot write there.
 */
export async function readExternalCheckpoints(directory: string): Promise<ExternalCheckpoints> {
  const names = await readdir(directory, { recursive: true }).catch((error: unknown) => {
    throw fileFault(error, directory);
  });
  const files = names.filter((name) => /\.checkpoint$/.test(name));
  if (files.length === 0) throw new Error(`${directory} holds no file whose name ends with .checkpoint.`);
  const read = await Promise.all(
    files.sort().map(async (name) => {
      try {
        return await headIn(directory, name);
      } catch (error) {
        return `${join(directory, name)} is no checkpoint: ${(error as Error).message}`;
      }
    }),
  );
  return {
    heads: read.filter((one) => typeof one !== 'string'),
    faults: read.filter((one) => typeof one === 'string'),
  };
}

async function headIn(directory: string, name: string): Promise<SignedHead> {
  const text = await readFile(join(directory, name), 'utf8').catch((error: unknown) => {
    throw fileFault(error, join(directory, name));
  });
  const { origin, size, root } = parseCheckpoint(parseNote(text).text);
  const org = fromWireId('org', origin.split('/').at(-1)!);
  if (!org) throw new Error(`its origin ${origin} names no organization`);
  return { org, name, size, root };
}
