import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Uuid } from '../../kernel/ids.js';
import type { Steps } from '../../kernel/iteration.js';

/** Longer than the work on any ordinary list, and short enough for those who wait beside it. */
const LONGEST_MS = 5;
/** Longest pause of a part for requests of others: where others always ask, long work has a fifth of the process. */
const LONGEST_PAUSE_MS = 20;
/** Time after which half of the work counts no more. */
const HALF_LIFE_MS = 1_000;
/** An organization that did this part of another one's long work, or less, is not held up by it. */
const LIGHT_PART = 0.5;
/** Work of the process itself, which is nobody's request. */
const BACKGROUND = '';

interface Share {
  /** Requests that are worked on. */
  requests: number;
  /** Parts of long work that wait for their turn. */
  waiting: number;
  /** Milliseconds of long work lately, and when that was right. */
  worked: number;
  at: number;
}

interface Waiting {
  readonly sender: string;
  readonly since: number;
  readonly proceed: () => void;
}

/**
 * Orders the long work of a process, which is done in parts. One part is done in each turn of the event loop, that of the
 * organization with the least long work lately first, and none while a request is under way of an organization with
 * clearly less: the many short steps of such a request follow each other at once, instead of each waiting for a part.
 */
export class LongWorkQueue {
  readonly #shares = new Map<string, Share>();
  #waiting: Waiting[] = [];
  #isRunning = false;
  #wake = (): void => undefined;

  /** Notes that a request is worked on, until the returned function is called. */
  begin(sender: string): () => void {
    const share = this.#shareOf(sender);
    share.requests += 1;
    return () => {
      share.requests -= 1;
      this.#forgetIdle(sender, share);
      this.#wake();
    };
  }

  /** Resolves when the next part may be done. @param worked milliseconds that the part before took */
  async next(sender: string, worked: number): Promise<void> {
    const share = this.#shareOf(sender);
    share.worked = lately(share) + worked;
    share.at = performance.now();
    share.waiting += 1;
    await new Promise<void>((proceed) => {
      this.#waiting.push({ sender, since: performance.now(), proceed });
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
      const left = next.since + LONGEST_PAUSE_MS - performance.now();
      if (left > 0 && this.#isHeldUp(next.sender)) await this.#pause(left);
      else {
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        next.proceed();
      }
    }
    this.#isRunning = false;
    // A sender that worked until it left still has its share.
    for (const [sender, share] of this.#shares) this.#forgetIdle(sender, share);
  }

  /** The part that has waited too long, else that of whoever worked the least. */
  #chooseNext(): Waiting {
    const [oldest] = this.#waiting;
    if (performance.now() - oldest!.since >= LONGEST_PAUSE_MS) return oldest!;
    const workedBy = ({ sender }: Waiting): number => lately(this.#shares.get(sender)!);
    return this.#waiting.reduce((least, one) => (workedBy(one) < workedBy(least) ? one : least));
  }

  /** Whether a lighter organization has a request under way that does not itself wait for a turn. */
  #isHeldUp(sender: string): boolean {
    const most = lately(this.#shares.get(sender)!) * LIGHT_PART;
    for (const [other, share] of this.#shares) {
      if (other !== sender && share.requests > share.waiting && lately(share) <= most) return true;
    }
    return false;
  }

  /** Waits until something has changed. */
  async #pause(ms: number): Promise<void> {
    const changed = new AbortController();
    this.#wake = () => changed.abort();
    await sleep(ms, undefined, { signal: changed.signal }).catch(() => undefined);
    this.#wake = () => undefined;
  }

  #shareOf(sender: string): Share {
    let share = this.#shares.get(sender);
    if (!share) {
      share = { requests: 0, waiting: 0, worked: 0, at: performance.now() };
      this.#shares.set(sender, share);
    }
    return share;
  }

  #forgetIdle(sender: string, share: Share): void {
    if (share.requests === 0 && share.waiting === 0 && lately(share) < 1) this.#shares.delete(sender);
  }
}

const lately = ({ worked, at }: Share): number => worked * 0.5 ** ((performance.now() - at) / HALF_LIFE_MS);

/** Orders the long work of this process. */
export const longWorkQueue = new LongWorkQueue();

/** Work that is done in parts. It lets the rest of the process go on whenever its parts have taken a while. */
export class LongWork {
  #worked = 0;

  /** @param org for which it is done; undefined: for the process itself */
  constructor(private readonly org: Uuid | undefined) {}

  /** Does a part at once. */
  do<Result>(part: () => Result): Result {
    const start = performance.now();
    const result = part();
    this.#worked += performance.now() - start;
    return result;
  }

  /** Asked after each part; the next one waits for what it returns. */
  turn(): Promise<void> | undefined {
    if (this.#worked < LONGEST_MS) return undefined;
    const worked = this.#worked;
    this.#worked = 0;
    return longWorkQueue.next(this.org ?? BACKGROUND, worked);
  }
}

/** Does a computation, and lets the rest of the process go on whenever its steps have taken a while. */
export async function doStepsYielding<Result>(org: Uuid, steps: Steps<Result>): Promise<Result> {
  const parts = new LongWork(org);
  for (;;) {
    const step = parts.do(() => steps.next());
    if (step.done) return step.value;
    const turn = parts.turn();
    if (turn) await turn;
  }
}

/** Works on a list, and lets the rest of the process go on whenever that has taken a while. */
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

/** Maps a list as `forEachYielding` works on one. */
export async function mapYielding<Item, Result>(
  org: Uuid,
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachYielding(org, items, (item) => void results.push(work(item)));
  return results;
}
