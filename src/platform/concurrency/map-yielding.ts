import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longer than the work on any ordinary list, and short enough for those who wait beside it. */
const LONGEST_MS = 5;

/** Resolves when all who wait for a turn have had theirs. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Works on a list, and lets the rest of the process go on whenever that has taken a while. Of all long lists that are
 * worked on at once, one goes on in each turn of the event loop.
 */
export async function forEachYielding<Item>(
  items: readonly Item[],
  work: (item: Item) => void,
): Promise<void> {
  let start = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - start < LONGEST_MS) continue;
    await ownTurn();
    start = performance.now();
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

const ownTurn = (): Promise<void> => (lastTurn = lastTurn.then(() => nextTurn()));
