interface Bucket {
  tokens: number;
  /** When `tokens` was right. */
  at: number;
}

/**
 * Buckets of tokens by key, each full at first and refilled evenly. A bucket may be drawn below zero by a cost that is
 * known late; it is paid back before anything else is taken. At most `mostKeys` are remembered: the one that was not
 * used for longest is forgotten first.
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
    // What is refilled little by little adds up to almost a whole.
    return missing <= 1e-9 ? 0 : missing / this.perSecond;
  }

  #tokens(key: string): number {
    const bucket = this.#buckets.get(key);
    if (!bucket) return this.capacity;
    const refilled = ((this.now() - bucket.at) / 1_000) * this.perSecond;
    return Math.min(this.capacity, bucket.tokens + refilled);
  }
}
