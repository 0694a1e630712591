import type { Instant } from '../src/kernel/instant.js';

/** A usage batch, with the body hashes of all its rows, 32 bytes each. */
export interface BundledBatch {
  readonly number: number;
  readonly bodyHashes: Uint8Array;
  readonly earliest: Instant;
}

/** Usage batches that follow each other, in arrays that all threads of a verification read. */
export interface BatchPage {
  /** Numbers of the batches, in ascending order. */
  readonly numbers: Float64Array;
  /** Ends of the hashes of each batch, in bytes. */
  readonly ends: Uint32Array;
  /** Text of each earliest time. */
  readonly earliest: Uint8Array;
  /** Body hashes of all rows. */
  readonly hashes: Uint8Array;
}

/** Number of characters of a time. */
const TIME_LENGTH = 27;
/** Numbers of batches and of bytes of hashes at which a page ends. */
const PAGE = { batches: 4_096, bytes: 1024 ** 2 };

const memoryOf = (bytes: number): ArrayBufferLike =>
  // A page from the disk has no threads, and in most browsers no shared memory.
  typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);

/** Keeps usage batches in little memory: an object for each would take ten times the bytes of a batch of one row. */
export class BatchTable {
  readonly #pages: BatchPage[];
  /** Batches after the last page. */
  #rest: BundledBatch[] = [];
  #bytes = 0;

  constructor(pages: readonly BatchPage[] = []) {
    this.#pages = [...pages];
  }

  /** Adds a batch with a higher number than those before. */
  add(batch: BundledBatch): void {
    this.#rest.push(batch);
    this.#bytes += batch.bodyHashes.length;
    if (this.#rest.length >= PAGE.batches || this.#bytes >= PAGE.bytes) this.#endPage();
  }

  /** Returns all batches. */
  pages(): readonly BatchPage[] {
    if (this.#rest.length > 0) this.#endPage();
    return this.#pages;
  }

  /** Finds a batch of the pages. */
  find(number: number): BundledBatch | undefined {
    const page = this.#pages[indexOf(this.#pages.length, (index) => this.#pages[index]!.numbers[0]!, number)];
    if (!page) return undefined;
    const at = indexOf(page.numbers.length, (index) => page.numbers[index]!, number);
    if (page.numbers[at] !== number) return undefined;
    const { buffer, byteOffset } = page.earliest;
    const time = Buffer.from(buffer, byteOffset + at * TIME_LENGTH, TIME_LENGTH).toString('latin1');
    const begin = at === 0 ? 0 : page.ends[at - 1]!;
    return { number, bodyHashes: page.hashes.subarray(begin, page.ends[at]), earliest: time as Instant };
  }

  #endPage(): void {
    const count = this.#rest.length;
    const page: BatchPage = {
      numbers: new Float64Array(memoryOf(count * Float64Array.BYTES_PER_ELEMENT)),
      ends: new Uint32Array(memoryOf(count * Uint32Array.BYTES_PER_ELEMENT)),
      earliest: new Uint8Array(memoryOf(count * TIME_LENGTH)),
      hashes: new Uint8Array(memoryOf(this.#bytes)),
    };
    let end = 0;
    for (const [at, { number, bodyHashes, earliest }] of this.#rest.entries()) {
      page.numbers[at] = number;
      page.hashes.set(bodyHashes, end);
      page.ends[at] = end += bodyHashes.length;
      page.earliest.set(Buffer.from(earliest, 'latin1'), at * TIME_LENGTH);
    }
    this.#pages.push(page);
    this.#rest = [];
    this.#bytes = 0;
  }
}

/** Returns the index of the last of some ascending numbers that is at most the sought one; -1 where all are higher. */
function indexOf(length: number, at: (index: number) => number, sought: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) <= sought) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
