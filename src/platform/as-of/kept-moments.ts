import type { OpenMoment } from './open-moment.js';

/** Time that a moment is kept after a request. */
const KEPT_MS = 5_000;
/** Longest time that a moment is open: its transaction holds locks that the rebuild of a read model waits for. */
const OPEN_MS = 20_000;

interface Kept {
  readonly moment: OpenMoment;
  readonly timer: NodeJS.Timeout;
}

/**
 * Keeps moments open for a while after their request, so that the next request for the same moment finds its read models
 * folded. Moments that are kept and those in use together take no more connections than there are.
 */
export class KeptMoments {
  /** Kept moments by key, the least recently used first. */
  readonly #kept = new Map<string, Kept>();
  readonly #closing = new Set<Promise<void>>();
  #inUse = 0;
  #isClosed = false;

  constructor(private readonly connections: number) {}

  /** Runs work in the kept moment of a key if it is current, else in one that is opened, and keeps it if the work succeeds. */
  async use<Result>(
    key: string,
    find: { isCurrent(moment: OpenMoment): Promise<boolean>; open(): Promise<OpenMoment> },
    work: (moment: OpenMoment) => Promise<Result>,
  ): Promise<Result> {
    this.#inUse += 1;
    let moment = this.#take(key);
    try {
      if (moment && !(await find.isCurrent(moment))) {
        await moment.close();
        moment = undefined;
      }
      if (!moment) {
        await this.#makeRoom();
        moment = await find.open();
      }
      const result = await work(moment);
      this.#keep(key, moment);
      return result;
    } catch (error) {
      await moment?.close();
      throw error;
    } finally {
      this.#inUse -= 1;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const key of this.#kept.keys()) this.#drop(key);
    await Promise.all(this.#closing);
  }

  #take(key: string): OpenMoment | undefined {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    clearTimeout(kept?.timer);
    return kept?.moment;
  }

  #keep(key: string, moment: OpenMoment): void {
    this.#drop(key);
    const left = Math.min(KEPT_MS, moment.openedAt + OPEN_MS - performance.now());
    const timer = setTimeout(() => this.#drop(key), left).unref();
    this.#kept.set(key, { moment, timer });
    if (this.#isClosed || left <= 0) this.#drop(key);
  }

  async #makeRoom(): Promise<void> {
    for (const key of this.#kept.keys()) {
      if (this.#kept.size + this.#inUse <= this.connections) break;
      this.#drop(key);
    }
    await Promise.all(this.#closing);
  }

  #drop(key: string): void {
    const closing = this.#take(key)?.close();
    if (!closing) return;
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }
}
