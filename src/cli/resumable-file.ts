import { open, readFile, unlink, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileFault } from '../kernel/file-fault.js';

/**
 * File that is written from its first byte to its last, and can be continued after an interruption. The
 * journal `FILE.resume` beside it has a line of JSON about the content and one for each step; it is removed
 * with the last byte.
 */
export class ResumableFile<Head, Step> {
  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly journal: FileHandle,
    readonly head: Head,
    readonly steps: readonly Step[],
    private position: number,
  ) {}

  /** @throws Error with a sentence when the file exists or cannot be made */
  static async create<Head, Step>(path: string, head: Head): Promise<ResumableFile<Head, Step>> {
    const file = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
      throw fileFault(error, error.code === 'ENOENT' ? dirname(path) : path);
    });
    const journal = await open(journalOf(path), 'w').catch(async (error: unknown) => {
      await file.close();
      await unlink(path);
      throw fileFault(error, journalOf(path));
    });
    await journal.write(`${JSON.stringify(head)}\n`);
    await journal.sync();
    return new ResumableFile<Head, Step>(path, file, journal, head, [], 0);
  }

  /**
   * Opens an interrupted file, and truncates it after its last step.
   * @param lengthOf number of bytes of a step
   * @returns undefined without a usable journal
   * @throws Error with a sentence for a journal or a file that cannot be used
   */
  static async reopen<Head, Step>(
    path: string,
    lengthOf: (step: Step) => number,
  ): Promise<ResumableFile<Head, Step> | undefined> {
    const text = await textOf(journalOf(path));
    // A line without an end was being written at the interruption.
    const lines = text?.split('\n').slice(0, -1) ?? [];
    if (lines.length === 0) return undefined;
    const [head, ...steps] = parseLines(path, lines);
    const length = (steps as Step[]).reduce((sum, step) => sum + lengthOf(step), 0);
    const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? cannotGoOn(path, `there is no file ${path}`) : fileFault(error, path);
    });
    if ((await file.stat()).size < length) {
      await file.close();
      throw cannotGoOn(path, `${path} is shorter than what was written`);
    }
    await file.truncate(length);
    const journal = await open(journalOf(path), 'r+').catch((error: unknown) => {
      throw fileFault(error, journalOf(path));
    });
    const kept = Buffer.byteLength(lines.map((line) => `${line}\n`).join(''));
    await journal.truncate(kept);
    await journal.close();
    const appended = await open(journalOf(path), 'a');
    return new ResumableFile(path, file, appended, head as Head, steps as Step[], length);
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const { bytesWritten } = await this.file
        .write(bytes, from, bytes.length - from, this.position)
        .catch((error: unknown) => {
          throw fileFault(error, this.path);
        });
      from += bytesWritten;
      this.position += bytesWritten;
    }
  }

  /** Records that everything up to here is on the disk. */
  async stepEnded(step: Step): Promise<void> {
    await this.file.sync();
    await this.journal.write(`${JSON.stringify(step)}\n`);
    await this.journal.sync();
  }

  /**
   * Completes the file.
   * @returns its length
   */
  async end(): Promise<number> {
    await this.file.sync();
    await this.close();
    await unlink(journalOf(this.path));
    return this.position;
  }

  /** Removes a closed file. */
  async discard(): Promise<void> {
    await unlink(this.path);
    await unlink(journalOf(this.path));
  }

  /** Closes the file without completing it, to be reopened. */
  async close(): Promise<void> {
    await this.file.close();
    await this.journal.close();
  }
}

const journalOf = (path: string): string => `${path}.resume`;

/** Returns undefined where there is no file. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw fileFault(error, path);
  }
}

function parseLines(path: string, lines: readonly string[]): unknown[] {
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    throw cannotGoOn(path, `${journalOf(path)} is damaged`);
  }
}

const cannotGoOn = (path: string, reason: string): Error =>
  new Error(`This cannot be resumed, as ${reason}. Remove ${path} and ${journalOf(path)}, and begin anew.`);
