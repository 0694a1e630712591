import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longer than the work on any ordinary list, and short enough for those who wait beside it. */
const LONGEST_MS = 10;

/** Maps a list, and lets the rest of the process go on whenever that has taken a while. */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let start = performance.now();
  for (const item of items) {
    results.push(work(item));
    if (performance.now() - start < LONGEST_MS) continue;
    await nextTurn();
    start = performance.now();
  }
  return results;
}
