import { setTimeout as sleep } from 'node:timers/promises';

/** So long is waited for what has to come about: a busy machine gets there late, what is broken never does. */
export const PATIENCE_MS = 120_000;

/** Looks again and again until there is something to see: neither undefined nor false. */
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
