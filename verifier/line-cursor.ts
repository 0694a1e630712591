import type { Line } from './read-archive.js';

/**
 * Reads the lines of a file one by one, ahead by one chunk of the file. Close it when it is not read to its
 * end.
 */
export class LineCursor {
  #lines: readonly Line[] = [];
  #at = 0;
  /** Number of lines passed. */
  count = 0;

  constructor(private readonly chunks: AsyncGenerator<readonly Line[], unknown>) {}

  /** Next line, as far as it is read; otherwise call `more`. */
  get next(): Line | undefined {
    return this.#lines[this.#at];
  }

  /**
   * Reads the next chunk.
   * @returns the next line, undefined at the end of the file
   */
  async more(): Promise<Line | undefined> {
    while (this.#at >= this.#lines.length) {
      const { done, value } = await this.chunks.next();
      if (done) return undefined;
      this.#lines = value;
      this.#at = 0;
    }
    return this.next;
  }

  /** Passes the next line. */
  pass(): void {
    this.#at += 1;
    this.count += 1;
  }

  async close(): Promise<void> {
    await this.chunks.return(undefined);
  }
}
