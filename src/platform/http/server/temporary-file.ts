import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Opens a temporary file. It is unlinked at once, so it disappears when it is closed or the process dies. */
export async function openTemporaryFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `recount-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
