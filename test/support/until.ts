import { setTimeout as sleep } from 'node:timers/promises';

/** Limit of waits for an expected condition, long enough for a busy machine. */
export const PATIENCE_MS = 120_000;

/** Polls until the result is neither undefined nor false. @throws Error after PATIENCE_MS */
export async function until<Found>(
  look: () => Found | undefined | false | Promise<Found | undefined | false>,
  everyMs = 20,
): Promise<Found> {
  for (const end = performance.now() + PATIENCE_MS; ;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error('It did not come about.');
    await sleep(everyMs);
  }
}
