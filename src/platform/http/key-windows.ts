/** Requests by API key in windows of fixed length; what was quiet in a window is forgotten with it. */
export class KeyWindows {
  #counts = new Map<string, number>();
  #ends = 0;

  constructor(
    private readonly lengthMs: number,
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts one more request. False: it is one too many. */
  take(key: string): boolean {
    const now = this.now();
    if (now >= this.#ends) {
      this.#counts = new Map();
      this.#ends = now + this.lengthMs;
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= this.most;
  }
}
