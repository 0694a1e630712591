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
