interface Bucket {
  tokens: number;
  /** When `tokens` was right. */
  at: number;
}

/**
 * Token buckets by key, each full at first and refilled evenly. A cost that is known late may take a bucket below zero; the
 * refill then pays it back first. At most `mostKeys` buckets are kept; the least recently used is dropped first.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly capacity: number,
    private readonly perSecond: number,
    private readonly mostKeys: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes a cost from a bucket, which may leave it below zero. */
  take(key: string, cost: number): void {
    const bucket = { tokens: this.#tokens(key) - cost, at: this.now() };
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > this.mostKeys) {
      const [longestUnused] = this.#buckets.keys();
      this.#buckets.delete(longestUnused!);
    }
  }

  /** Seconds until the bucket holds a whole token; 0: it does. */
  secondsUntilNext(key: string): number {
    const missing = 1 - this.#tokens(key);
    // Many small refills add up to almost a whole token.
    return missing <= 1e-9 ? 0 : missing / this.perSecond;
  }

  #tokens(key: string): number {
    const bucket = this.#buckets.get(key);
    if (!bucket) return this.capacity;
    const refilled = ((this.now() - bucket.at) / 1_000) * this.perSecond;
    return Math.min(this.capacity, bucket.tokens + refilled);
  }
}
