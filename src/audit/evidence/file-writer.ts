import { canonicalJson } from '../../kernel/canonical-json.js';
import type { ArchiveWriter } from './archive-writer.js';
import type { FileSummary } from './domain/bundle-format.js';

/** Number of characters passed to the archive at once. */
const CHUNK = 64 * 1024;

/** Writes files into an archive, and collects their entries in the manifest. */
export class FileWriter {
  readonly summaries: Record<string, FileSummary> = {};

  constructor(private readonly archive: ArchiveWriter) {}

  /** Writes canonical JSON, one value per line. */
  async *lines(
    name: string,
    values: AsyncIterable<unknown> | Iterable<unknown>,
  ): AsyncGenerator<Uint8Array, void> {
    const count = { lines: 0 };
    const summary = yield* this.archive.file(name, jsonLines(values, count));
    this.summaries[name] = { ...summary, ...count };
  }

  async *bytes(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, void> {
    this.summaries[name] = yield* this.archive.file(name, content);
  }
}

async function* jsonLines(
  values: AsyncIterable<unknown> | Iterable<unknown>,
  count: { lines: number },
): AsyncGenerator<Buffer> {
  let text = '';
  for await (const value of values) {
    text += `${canonicalJson(value)}\n`;
    count.lines += 1;
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
