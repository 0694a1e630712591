import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';

/** A bundle that is refused: nothing of it is believed. The message says where and why. */
export class RefusedBundle extends Error {
  override readonly name = 'RefusedBundle';
}

/** Limits of an archive; a larger one is refused before it is unpacked. */
interface ArchiveLimits {
  readonly files: number;
  /** Bytes of all files together, unpacked. */
  readonly bytes: number;
  readonly lineBytes: number;
}

const LIMITS: ArchiveLimits = {
  files: 200_010,
  bytes: 16 * 1024 ** 3,
  lineBytes: 2 * 1024 ** 2,
};

/** Compressed JSON lines are 5 to 30 times smaller; Deflate reaches 1,032. */
const MOST_RATIO = 300;
/** Small files of equal bytes may be compressed better. */
const RATIO_FROM = 1024 ** 2;

export interface FileSummary {
  readonly bytes: number;
  readonly lines?: number;
  readonly sha256: string;
}

const NAMES =
  /^(?:manifest\.json|(?:events|usage|batches|invoices|checkpoint|consistency|proofs)\.jsonl|pdfs\/\d{6}-\d{6,}\.pdf)$/;

/** An opened archive whose table of contents is within limits. Files are read on demand, each by itself. */
export class Archive {
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(
    private readonly zip: ZipFile,
    entries: ReadonlyMap<string, Entry>,
    private readonly limits: ArchiveLimits,
  ) {
    this.#entries = entries;
  }

  /** @throws RefusedBundle */
  static async open(file: string, limits: ArchiveLimits = LIMITS): Promise<Archive> {
    const entries = new Map<string, Entry>();
    let zip: ZipFile | undefined;
    try {
      zip = await openPromise(file, { lazyEntries: true, strictFileNames: true, autoClose: false });
      if (zip.entryCount > limits.files) {
        throw new RefusedBundle(`the archive has ${zip.entryCount} files, allowed are ${limits.files}`);
      }
      let bytes = 0;
      for await (const entry of zip.eachEntry()) {
        requireAllowed(entry, entries);
        bytes += entry.uncompressedSize;
        if (bytes > limits.bytes) {
          throw new RefusedBundle(`${entry.fileName}: the files have over ${limits.bytes} bytes unpacked`);
        }
        entries.set(entry.fileName, entry);
      }
      return new Archive(zip, entries, limits);
    } catch (error) {
      zip?.close();
      throw asRefusal(error, 'the archive');
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  close(): void {
    this.zip.close();
  }

  /** Reads a small file whole. @throws RefusedBundle */
  async text(name: string, mostBytes = 64 * 1024 ** 2): Promise<string> {
    const chunks: Buffer[] = [];
    if ((this.#entries.get(name)?.uncompressedSize ?? 0) > mostBytes) {
      throw new RefusedBundle(`${name}: it has more than ${mostBytes} bytes`);
    }
    await this.#read(name, (chunk) => chunks.push(chunk));
    return decode(Buffer.concat(chunks), name);
  }

  /** Hashes a file. @throws RefusedBundle */
  summary(name: string): Promise<FileSummary> {
    return this.#read(name, () => {});
  }

  /** Hands over the lines of a file as JSON, one by one. @throws RefusedBundle */
  async lines(name: string, take: (value: unknown, line: number) => void): Promise<FileSummary> {
    let [held, count] = [Buffer.alloc(0), 0];
    const summary = await this.#read(name, (chunk) => {
      let data = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
        count += 1;
        take(parse(data.subarray(0, end), `${name}, line ${count}`), count);
        data = data.subarray(end + 1);
      }
      if (data.length > this.limits.lineBytes) {
        throw new RefusedBundle(`${name}, line ${count + 1}: longer than ${this.limits.lineBytes} bytes`);
      }
      held = Buffer.from(data);
    });
    if (held.length > 0) throw new RefusedBundle(`${name}, line ${count + 1}: the file ends within a line`);
    return { ...summary, lines: count };
  }

  async #read(name: string, take: (chunk: Buffer) => void): Promise<FileSummary> {
    const entry = this.#entries.get(name);
    if (!entry) throw new RefusedBundle(`${name}: the bundle does not have this file`);
    const digest = createHash('sha256');
    let [bytes, crc] = [0, 0];
    try {
      const stream = await this.zip.openReadStreamPromise(entry);
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        crc = crc32(chunk, crc);
        digest.update(chunk);
        take(chunk);
      }
    } catch (error) {
      throw asRefusal(error, name);
    }
    if (crc !== entry.crc32) throw new RefusedBundle(`${name}: its checksum (CRC-32) is wrong`);
    return { bytes, sha256: digest.digest('hex') };
  }
}

function requireAllowed(entry: Entry, before: ReadonlyMap<string, Entry>): void {
  const { fileName: name, uncompressedSize: size, compressedSize: packed } = entry;
  if (!NAMES.test(name))
    throw new RefusedBundle(`${JSON.stringify(name)}: no file of a bundle has this name`);
  if (before.has(name)) throw new RefusedBundle(`${name}: the archive has it twice`);
  if (entry.isEncrypted()) throw new RefusedBundle(`${name}: it is encrypted`);
  if (size > RATIO_FROM && size > packed * MOST_RATIO) {
    throw new RefusedBundle(`${name}: ${packed} bytes would unpack to ${size}, which no bundle does`);
  }
}

function asRefusal(error: unknown, place: string): Error {
  if (error instanceof RefusedBundle) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR') return error as Error;
  return new RefusedBundle(`${place}: ${message}`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer, place: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new RefusedBundle(`${place}: not UTF-8`);
  }
}

/** @throws RefusedBundle */
function parse(bytes: Buffer, place: string): unknown {
  const text = decode(bytes, place);
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedBundle(`${place}: not JSON`);
  }
}
