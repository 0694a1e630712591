import { describe, expect, it } from '@jest/globals';
import { sooner } from '../../src/billing/rating/schedule.js';
import { MINUTE, instant } from '../../src/kernel/instant.js';

describe('what falls due first', () => {
  const due = (at: string, graced: boolean) => ({ at: instant(at), graced });
  const grace = 30n * MINUTE;

  it('is what is there, and the earlier of two, the first of two at once', () => {
    const [a, b] = [due('2026-01-01', true), due('2026-01-02', true)];
    expect([sooner(null, null, grace), sooner(a, null, grace), sooner(null, b, grace)]).toEqual([null, a, b]);
    expect([sooner(a, b, grace), sooner(b, a, grace)]).toEqual([a, a]);
    const same = due('2026-01-01', true);
    expect(sooner(a, same, grace)).toBe(a);
  });

  it('is reckoned with the grace of what waits for it', () => {
    const waiting = due('2026-01-01', true);
    const [before, at, after] = ['2026-01-01T00:29:59Z', '2026-01-01T00:30:00Z', '2026-01-01T00:30:01Z'].map(
      (when) => due(when, false),
    );
    expect(sooner(waiting, before!, grace)).toBe(before);
    expect(sooner(waiting, at!, grace)).toBe(waiting);
    expect(sooner(at!, waiting, grace)).toBe(at);
    expect(sooner(after!, waiting, grace)).toBe(waiting);
  });
});
