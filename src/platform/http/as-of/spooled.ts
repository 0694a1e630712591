import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StreamableFile } from '@nestjs/common';

/**
 * Reads a streamed answer to its end, into a file without a name, and returns the answer that streams the file: what is
 * read while it streams must be read before its moment is over. Other answers stay as they are.
 */
export async function spooled<Answer>(answer: Answer): Promise<Answer | StreamableFile> {
  if (!(answer instanceof StreamableFile)) return answer;
  const file = await namelessFile();
  try {
    for await (const chunk of answer.getStream()) await file.writeFile(chunk as Buffer);
    return new StreamableFile(file.createReadStream({ start: 0 }), answer.options);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Opens a file that is gone once it is closed, also when the process dies. */
async function namelessFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `recount-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
