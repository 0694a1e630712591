/** Number of bytes of a slab. Small arrays share a slab; each larger one has its own. */
const SLAB = 1024 ** 2;

const memoryOf = (length: number): Uint8Array =>
  // A page from the disk has no threads, and in most browsers no shared memory.
  typeof SharedArrayBuffer === 'undefined'
    ? new Uint8Array(length)
    : new Uint8Array(new SharedArrayBuffer(length));

/** Stores arrays of bytes where all threads of a verification read them, so that none has a copy. */
export class SharedBytes {
  #free: Uint8Array = new Uint8Array();

  /** Copies bytes. */
  keep(bytes: Uint8Array): Uint8Array {
    if (bytes.length > this.#free.length) {
      if (bytes.length > SLAB / 8) return copied(bytes, memoryOf(bytes.length));
      this.#free = memoryOf(SLAB);
    }
    const kept = copied(bytes, this.#free.subarray(0, bytes.length));
    this.#free = this.#free.subarray(bytes.length);
    return kept;
  }
}

function copied(bytes: Uint8Array, into: Uint8Array): Uint8Array {
  into.set(bytes);
  return into;
}
