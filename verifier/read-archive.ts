import { createHash } from 'node:crypto';
import { concat } from '../src/transparency/domain/bytes.js';
import type { FileSummary } from '../src/audit/evidence/domain/bundle-format.js';
import type { VerifierPlatform, Source } from './platform.js';
import { RefusedBundle } from './refused-bundle.js';
import { readDirectory, requireBytes } from './zip-directory.js';
import { descriptorOf, localHeaderOf, type ZipEntry } from '../src/audit/evidence/domain/zip-layout.js';

/** Limits of an archive; a larger one is refused before it is unpacked. */
interface ArchiveLimits {
  readonly files: number;
  /** Number of bytes of all files together, unpacked. */
  readonly bytes: number;
  readonly lineBytes: number;
}

const LIMITS: ArchiveLimits = {
  files: 200_010,
  bytes: 16 * 1024 ** 3,
  lineBytes: 2 * 1024 ** 2,
};

/** Compressed JSON lines are 5 to 30 times smaller; Deflate reaches 1,032. */
const MAX_RATIO = 300;
/** Small files of equal bytes may be compressed better. */
const RATIO_FROM = 1024 ** 2;

/** Number of bytes of the archive that are read at once. */
const CHUNK = 256 * 1024;

const NEWLINE = 10;

/** Line of a file. */
export interface Line {
  readonly value: unknown;
  readonly text: string;
  /** File and number of the line, for sentences. */
  readonly location: string;
}

const NAMES =
  /^(?:manifest\.json|(?:batches|checkpoint|consistency)\.jsonl|(?:events|usage|invoices|proofs|personal-data)\/\d{4,}\.jsonl|pdfs\/\d{6}-\d{6,}\.pdf)$/;

/** Limit of a file that is read whole, such as the manifest. */
const MAX_TEXT_BYTES = 64 * 1024 ** 2;

/** Opened archive whose table of contents is within limits. Files are read on demand, each by itself. */
export class Archive {
  readonly #entries: ReadonlyMap<string, ZipEntry>;

  private constructor(
    private readonly source: Source,
    private readonly platform: VerifierPlatform,
    entries: ReadonlyMap<string, ZipEntry>,
  ) {
    this.#entries = entries;
  }

  /** @throws RefusedBundle */
  static async open(source: Source, platform: VerifierPlatform): Promise<Archive> {
    const entries = new Map<string, ZipEntry>();
    let bytes = 0;
    for (const entry of await readDirectory(source, LIMITS.files)) {
      requireAllowed(entry, entries);
      bytes += entry.size;
      if (bytes > LIMITS.bytes) {
        throw new RefusedBundle(`${entry.name}: the files have over ${LIMITS.bytes} bytes unpacked`);
      }
      entries.set(entry.name, entry);
    }
    return new Archive(source, platform, entries);
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Reads a small file whole. @throws RefusedBundle */
  async text(name: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    if ((this.#entries.get(name)?.size ?? 0) > MAX_TEXT_BYTES) {
      throw new RefusedBundle(`${name}: it has more than ${MAX_TEXT_BYTES} bytes`);
    }
    for await (const chunk of this.#read(name)) chunks.push(chunk);
    return decode(concat(...chunks), name);
  }

  /** Hashes a file. @throws RefusedBundle */
  async summary(name: string): Promise<FileSummary> {
    const chunks = this.#read(name);
    for (;;) {
      const { done, value } = await chunks.next();
      if (done) return value;
    }
  }

  /**
   * Yields the lines of a file, several at a time.
   * @throws RefusedBundle
   */
  async *lines(name: string): AsyncGenerator<readonly Line[], FileSummary> {
    let count = 0;
    let held: Uint8Array = new Uint8Array();
    const chunks = this.#read(name);
    try {
      for (;;) {
        const { done, value } = await chunks.next();
        if (done) {
          if (held.length === 0) return { ...value, lines: count };
          throw new RefusedBundle(`${name}, line ${count + 1}: the file ends within a line`);
        }
        const data = held.length === 0 ? value : concat(held, value);
        const lines: Line[] = [];
        let from = 0;
        for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, from)) {
          count += 1;
          const location = `${name}, line ${count}`;
          const text = decode(data.subarray(from, end), location);
          lines.push({ value: parse(text, location), text, location });
          from = end + 1;
        }
        if (data.length - from > LIMITS.lineBytes) {
          throw new RefusedBundle(`${name}, line ${count + 1}: longer than ${LIMITS.lineBytes} bytes`);
        }
        held = data.slice(from);
        yield lines;
      }
    } finally {
      await chunks.return(undefined as never);
    }
  }

  async *#read(name: string): AsyncGenerator<Uint8Array, FileSummary> {
    const entry = this.#entries.get(name);
    if (!entry) throw new RefusedBundle(`${name}: the bundle does not have this file`);
    const header = localHeaderOf(entry);
    requireBytes(await this.source.read(entry.offset, header.length), header, `${name}, its header`);
    const digest = createHash('sha256');
    let [bytes, crc] = [0, 0];
    const begin = entry.offset + header.length;
    try {
      for await (const chunk of this.platform.inflate(this.#packed(begin, entry.packed))) {
        bytes += chunk.length;
        if (bytes > entry.size) break;
        crc = this.platform.crc32(chunk, crc);
        digest.update(chunk);
        yield chunk;
      }
    } catch {
      throw new RefusedBundle(`${name}: its compressed data is damaged`);
    }
    if (bytes !== entry.size) {
      const found = bytes > entry.size ? 'more' : String(bytes);
      throw new RefusedBundle(`${name}: its size is stated as ${entry.size} bytes, it has ${found}`);
    }
    if (crc !== entry.crc32) throw new RefusedBundle(`${name}: its checksum (CRC-32) is wrong`);
    const descriptor = descriptorOf(entry);
    const found = await this.source.read(begin + entry.packed, descriptor.length);
    requireBytes(found, descriptor, `${name}, behind its data`);
    return { bytes, sha256: digest.digest('hex') };
  }

  async *#packed(begin: number, length: number): AsyncGenerator<Uint8Array> {
    for (let read = 0; read < length; read += CHUNK) {
      yield await this.source.read(begin + read, Math.min(CHUNK, length - read));
    }
  }
}

function requireAllowed(entry: ZipEntry, before: ReadonlyMap<string, ZipEntry>): void {
  const { name, size, packed } = entry;
  if (!NAMES.test(name)) {
    throw new RefusedBundle(`the archive: ${JSON.stringify(name)}: no file of a bundle has this name`);
  }
  if (before.has(name)) throw new RefusedBundle(`${name}: the archive has it twice`);
  if (size > RATIO_FROM && size > packed * MAX_RATIO) {
    throw new RefusedBundle(`${name}: ${packed} bytes would unpack to ${size}, which no bundle does`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array, location: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new RefusedBundle(`${location}: not UTF-8`);
  }
}

/** Limit of levels, far above that of any line. */
const MAX_LEVELS = 64;
/** Shorter lines cannot be nested so deeply that a recursive function runs out of stack. */
const DEEP_FROM = 4_096;

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isWithin(member, levels - 1)));

/** @throws RefusedBundle */
function parse(text: string, location: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RefusedBundle(`${location}: not JSON`);
  }
  if (text.length > DEEP_FROM && !isWithin(value, MAX_LEVELS)) {
    throw new RefusedBundle(`${location}: nested more than ${MAX_LEVELS} levels deep`);
  }
  return value;
}
