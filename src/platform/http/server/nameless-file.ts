import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Opens a file without a name, which disappears when it is closed or the process dies. */
export async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `recount-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
