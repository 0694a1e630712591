import { setTimeout as sleep } from 'node:timers/promises';

/** Time within which a difference ends that a write under way causes. */
const PATIENCE_MS = 2_000;

/** Compares twice, and returns the differences that exist both times. */
export async function lastingDifferences(
  compare: () => Promise<readonly string[]>,
  patienceMs = PATIENCE_MS,
): Promise<string[]> {
  const found = await compare();
  if (found.length === 0) return [];
  await sleep(patienceMs);
  const still = new Set(await compare());
  return found.filter((one) => still.has(one));
}
