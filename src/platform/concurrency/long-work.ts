import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Uuid } from '../../kernel/ids.js';
import type { Steps } from '../../kernel/iteration.js';

/** Length of a part, for which every other request may have to wait. */
const LONGEST_MS = 2;
/** Longest pause of a part for requests of others; under constant load long work keeps a fifth of the process. */
const LONGEST_PAUSE_MS = 8;
/** Half-life of the work that an organization is charged with. */
const HALF_LIFE_MS = 1_000;
/** Requests of an organization with at most this fraction of another one's long work go before it. */
const LIGHT_PART = 0.5;
/** Sender of work that belongs to no request. */
const BACKGROUND = '';

interface Share {
  /** Requests under way. */
  requests: number;
  /** Parts of long work that wait for their turn. */
  waiting: number;
  /** Milliseconds of recent long work, as of `at`. */
  worked: number;
  at: number;
}

interface Waiting {
  readonly sender: string;
  readonly since: number;
  readonly proceed: () => void;
}

/**
 * Orders the long work of a process. It does at most one part in each turn of the event loop, first that of the
 * organization with the least recent long work. A part waits while a request of a clearly lighter organization is under
 * way, so that the request's many short steps do not each wait for a part.
 */
export class LongWorkQueue {
  readonly #shares = new Map<string, Share>();
  #waiting: Waiting[] = [];
  #isRunning = false;
  #wake = (): void => undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Counts a request as under way until the returned function is called. */
  begin(sender: string): () => void {
    const share = this.#shareOf(sender);
    share.requests += 1;
    return () => {
      share.requests -= 1;
      this.#forgetIdle(sender, share);
      this.#wake();
    };
  }

  /** Resolves when the next part may run. @param worked milliseconds of the part before */
  async next(sender: string, worked: number): Promise<void> {
    const share = this.#shareOf(sender);
    share.worked = this.#recentWork(share) + worked;
    share.at = this.now();
    share.waiting += 1;
    await new Promise<void>((proceed) => {
      this.#waiting.push({ sender, since: this.now(), proceed });
      this.#wake();
      if (!this.#isRunning) void this.#run();
    });
    share.waiting -= 1;
    this.#forgetIdle(sender, share);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await nextTurn();
      const next = this.#chooseNext();
      const left = next.since + LONGEST_PAUSE_MS - this.now();
      if (left > 0 && this.#isHeldUp(next.sender)) await this.#pause(left);
      else {
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        next.proceed();
      }
    }
    this.#isRunning = false;
    // A sender whose last part has just ended still has its share.
    for (const [sender, share] of this.#shares) this.#forgetIdle(sender, share);
  }

  /** Returns the part that has waited longest if it waited too long, else that of the sender with the least recent work. */
  #chooseNext(): Waiting {
    const [oldest] = this.#waiting;
    if (this.now() - oldest!.since >= LONGEST_PAUSE_MS) return oldest!;
    const workedBy = ({ sender }: Waiting): number => this.#recentWork(this.#shares.get(sender)!);
    return this.#waiting.reduce((least, one) => (workedBy(one) < workedBy(least) ? one : least));
  }

  /** Returns whether a lighter organization has a request under way that is not itself waiting for a turn. */
  #isHeldUp(sender: string): boolean {
    const most = this.#recentWork(this.#shares.get(sender)!) * LIGHT_PART;
    for (const [other, share] of this.#shares) {
      if (other !== sender && share.requests > share.waiting && this.#recentWork(share) <= most) return true;
    }
    return false;
  }

  /** Waits until a request or part begins or ends. */
  async #pause(ms: number): Promise<void> {
    const changed = new AbortController();
    this.#wake = () => changed.abort();
    await sleep(ms, undefined, { signal: changed.signal }).catch(() => undefined);
    this.#wake = () => undefined;
  }

  #shareOf(sender: string): Share {
    let share = this.#shares.get(sender);
    if (!share) {
      share = { requests: 0, waiting: 0, worked: 0, at: this.now() };
      this.#shares.set(sender, share);
    }
    return share;
  }

  #forgetIdle(sender: string, share: Share): void {
    if (share.requests === 0 && share.waiting === 0 && this.#recentWork(share) < 1)
      this.#shares.delete(sender);
  }

  #recentWork({ worked, at }: Share): number {
    return worked * 0.5 ** ((this.now() - at) / HALF_LIFE_MS);
  }
}

export const longWorkQueue = new LongWorkQueue();

/** Work in parts, which lets other work of the process run after every `LONGEST_MS`. */
export class LongWork {
  #worked = 0;

  /** @param org undefined for work of the process itself */
  constructor(private readonly org: Uuid | undefined) {}

  /** Runs a part at once. */
  do<Result>(part: () => Result): Result {
    const start = performance.now();
    const result = part();
    this.#worked += performance.now() - start;
    return result;
  }

  /** Returns a promise that the next part has to wait for, if the parts so far have taken long enough. */
  turn(): Promise<void> | undefined {
    if (this.#worked < LONGEST_MS) return undefined;
    const worked = this.#worked;
    this.#worked = 0;
    return longWorkQueue.next(this.org ?? BACKGROUND, worked);
  }
}

/** Runs a computation as long work. */
export async function doStepsYielding<Result>(org: Uuid, steps: Steps<Result>): Promise<Result> {
  const parts = new LongWork(org);
  for (;;) {
    const step = parts.do(() => steps.next());
    if (step.done) return step.value;
    const turn = parts.turn();
    if (turn) await turn;
  }
}

/** Works on the items of a list as long work. */
export async function forEachYielding<Item>(
  org: Uuid | undefined,
  items: readonly Item[],
  work: (item: Item) => void,
): Promise<void> {
  const parts = new LongWork(org);
  for (const item of items) {
    parts.do(() => work(item));
    const turn = parts.turn();
    if (turn) await turn;
  }
}

/** Maps a list as long work. */
export async function mapYielding<Item, Result>(
  org: Uuid,
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachYielding(org, items, (item) => void results.push(work(item)));
  return results;
}

const background = new AsyncLocalStorage<true>();

/**
 * Runs work of the process itself, such as schedulers and projections. It has database connections that requests
 * cannot use up (`pg-pool.ts`).
 */
export const inBackground = <Result>(work: () => Result): Result => background.run(true, work);

/** Returns whether the current work is the process's own, not that of a request. */
export const isInBackground = (): boolean => background.getStore() ?? false;
