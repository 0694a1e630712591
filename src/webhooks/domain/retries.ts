const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const FIRST_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = 4 * HOUR;
const TRIED_FOR = 24 * HOUR;

/**
 * When a delivery that has failed is tried again, in milliseconds of wall time: 5 s, 20 s, 80 s … 4 h apart, the last time
 * a day after the first; undefined when that day is over.
 */
export function nextTry(firstTry: number, now: number, failures: number): number | undefined {
  const lastTry = firstTry + TRIED_FOR;
  if (now >= lastTry) return undefined;
  return Math.min(now + Math.min(FIRST_PAUSE * 4 ** (failures - 1), LONGEST_PAUSE), lastTry);
}
