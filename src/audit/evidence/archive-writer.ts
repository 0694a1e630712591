import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { FileSummary } from './domain/bundle-format.js';
import {
  centralRecordOf,
  descriptorOf,
  endRecordsOf,
  localHeaderOf,
  type ZipEntry,
} from './domain/zip-layout.js';

const NO_FILE = { crc32: 0, packed: 0, size: 0 };

/**
 * Writes a zip archive file by file. It holds the table of contents, and can continue after the files of
 * another writer.
 */
export class ArchiveWriter {
  readonly #entries: ZipEntry[];
  #offset: number;

  /** @param entries files that are already written, in order */
  constructor(entries: readonly ZipEntry[] = []) {
    this.#entries = [...entries];
    this.#offset = entries.reduce((end, entry) => end + lengthOf(entry), 0);
  }

  get entries(): readonly ZipEntry[] {
    return this.#entries;
  }

  /**
   * Yields the bytes of a file of the archive.
   * @returns size and checksum of the uncompressed file
   */
  async *file(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, FileSummary> {
    const offset = this.#offset;
    yield localHeaderOf({ ...NO_FILE, name, offset });
    const digest = createHash('sha256');
    let [checksum, size, packed] = [0, 0, 0];
    const read = async function* () {
      for await (const chunk of content) {
        checksum = crc32(chunk, checksum);
        size += chunk.length;
        digest.update(chunk);
        yield chunk;
      }
    };
    const deflated = pipeline(Readable.from(read(), { objectMode: true }), createDeflateRaw(), () => {});
    for await (const chunk of deflated as AsyncIterable<Buffer>) {
      packed += chunk.length;
      yield chunk;
    }
    const entry: ZipEntry = { name, crc32: checksum, packed, size, offset };
    yield descriptorOf(entry);
    this.#entries.push(entry);
    this.#offset += lengthOf(entry);
    return { bytes: size, sha256: digest.digest('hex') };
  }

  /** Yields the table of contents and the end of the archive. */
  *end(): Generator<Uint8Array> {
    let size = 0;
    for (const entry of this.#entries) {
      const record = centralRecordOf(entry);
      size += record.length;
      yield record;
    }
    yield endRecordsOf({ entries: this.#entries.length, size, offset: this.#offset });
  }
}

/** Number of bytes of a file in the archive, header and sizes included. */
export const lengthOf = (entry: ZipEntry): number =>
  localHeaderOf(entry).length + entry.packed + descriptorOf(entry).length;
