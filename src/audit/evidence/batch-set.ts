/** Set of batch numbers, one bit each: a million of them take 125 kB. */
export class BatchSet {
  #bits = new Uint8Array(1024);

  /** Reads the text of `toText`. */
  static of(text: string): BatchSet {
    const set = new BatchSet();
    const bits = Buffer.from(text, 'base64');
    set.#bits = new Uint8Array(Math.max(bits.length, 1024));
    set.#bits.set(bits);
    return set;
  }

  toText(): string {
    let length = this.#bits.length;
    while (length > 0 && this.#bits[length - 1] === 0) length -= 1;
    return Buffer.from(this.#bits.subarray(0, length)).toString('base64');
  }

  add(number: number): void {
    const at = number >> 3;
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[at]! |= 1 << (number & 7);
  }

  /** Yields the numbers in order, in pages. */
  *pages(): Generator<number[]> {
    let page: number[] = [];
    for (const [at, bits] of this.#bits.entries()) {
      for (let bit = 0; bits >> bit > 0; bit++) if ((bits >> bit) & 1) page.push(at * 8 + bit);
      if (page.length < 1_000) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }
}
