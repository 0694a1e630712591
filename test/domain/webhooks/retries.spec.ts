import { describe, expect, it } from '@jest/globals';
import { nextTry } from '../../../src/webhooks/domain/retries.js';

const HOUR = 3_600_000;

describe('a delivery that fails', () => {
  it('is tried again after ever longer pauses, the last time a day after the first', () => {
    const tries: number[] = [0];
    for (let next = nextTry(0, 0, 1); next !== undefined; next = nextTry(0, next, tries.length))
      tries.push(next);
    expect(tries.slice(0, 4)).toEqual([0, 5_000, 25_000, 105_000]);
    expect(tries.at(-1)).toBe(24 * HOUR);
    const pauses = tries.slice(1, -1).map((at, place) => at - tries[place]!);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(Math.max(...pauses)).toBe(4 * HOUR);
  });

  it('is given up when the day is over, however late the last try came', () => {
    expect(nextTry(0, 24 * HOUR, 3)).toBeUndefined();
    expect(nextTry(0, 24 * HOUR - 1, 300)).toBe(24 * HOUR);
  });
});
