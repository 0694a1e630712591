import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromWireId } from '../kernel/ids.js';
import { parseCheckpoint } from './domain/checkpoint.js';
import { parseNote } from './domain/note.js';
import type { SignedHead } from './tree-audit.js';

/**
 * Reads checkpoints that were kept outside, as `AUDIT_DIRECTORY` has them. Their signatures are not checked here: the
 * directory is believed because whoever writes the database cannot write there.
 * @throws Error that names the file that is no checkpoint
 */
export async function keptCheckpoints(directory: string): Promise<SignedHead[]> {
  const files = (await readdir(directory, { recursive: true })).filter((name) => /\.checkpoint$/.test(name));
  if (files.length === 0) throw new Error(`${directory} holds no file whose name ends with .checkpoint.`);
  return Promise.all(
    files.sort().map(async (name) => {
      try {
        const { origin, size, root } = parseCheckpoint(
          parseNote(await readFile(join(directory, name), 'utf8')).text,
        );
        const org = fromWireId('org', origin.split('/').at(-1)!);
        if (!org) throw new Error(`its origin ${origin} names no organization`);
        return { org, name, size, root };
      } catch (error) {
        throw new Error(`${join(directory, name)} is no checkpoint: ${(error as Error).message}`);
      }
    }),
  );
}
