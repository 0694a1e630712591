const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const FIRST_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = 4 * HOUR;
const RETRY_FOR = 24 * HOUR;

/**
 * Computes when a failed delivery is tried again, in milliseconds of wall time: after 5 s, 20 s, 80 s … 4 h, at last a
 * day after the first try; undefined when that day is over.
 */
export function nextTry(firstTry: number, now: number, failures: number): number | undefined {
  const lastTry = firstTry + RETRY_FOR;
  if (now >= lastTry) return undefined;
  return Math.min(now + Math.min(FIRST_PAUSE * 4 ** (failures - 1), LONGEST_PAUSE), lastTry);
}
