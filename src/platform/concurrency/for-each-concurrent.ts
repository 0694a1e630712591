import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Runs the work on every item, at most `atOnce` at a time, and takes items as places become free, so that a long source is
 * never held in memory. The first failure stops the taking and is thrown after the work under way ends. p-map rejects
 * while other work still runs, which then meets closed pools, and keeps a result per item.
 */
export async function forEachConcurrent<T>(
  items: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let underWay = 0;
  let ended = (): void => undefined;
  const oneHasEnded = (): Promise<void> => new Promise((resolve) => (ended = resolve));
  const failures: unknown[] = [];
  for await (const item of items) {
    if (failures.length > 0) break;
    underWay += 1;
    void work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        underWay -= 1;
        ended();
      });
    if (underWay >= atOnce) await oneHasEnded();
  }
  while (underWay > 0) await oneHasEnded();
  if (failures.length > 0) throw failures[0];
}

/** Maps items concurrently, at most `atOnce` at a time; results are in the order of the items. */
export async function mapConcurrent<T, Result>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  await forEachConcurrent(items.entries(), atOnce, async ([index, item]) => {
    results[index] = await work(item);
  });
  return results;
}

/** Longer than the work on any ordinary list, and short enough for those who wait beside it. */
const LONGEST_MS = 5;

/** Resolves when all who wait for a turn have had theirs. */
let lastTurn: Promise<void> = Promise.resolve();

/** Work that is done in parts: it lets the rest of the process go on whenever its parts have taken a while. */
export class LongWork {
  #start = performance.now();

  /** Asked after each part; the next one waits for what it returns. */
  turn(): Promise<void> | undefined {
    if (performance.now() - this.#start < LONGEST_MS) return undefined;
    return ownTurn().then(() => void (this.#start = performance.now()));
  }
}

/**
 * Works on a list, and lets the rest of the process go on whenever that has taken a while. Of all long lists that are
 * worked on at once, one goes on in each turn of the event loop.
 */
export async function forEachYielding<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
): Promise<void> {
  const parts = new LongWork();
  for (const item of items) {
    work(item);
    const turn = parts.turn();
    if (turn) await turn;
  }
}

/** Maps a list as `forEachYielding` works on one. */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  await forEachYielding(items, (item) => void results.push(work(item)));
  return results;
}

/** Lets the rest of the process go on; one of all who wait for a turn continues in each turn of the event loop. */
export const ownTurn = (): Promise<void> => (lastTurn = lastTurn.then(() => nextTurn()));
