import { describe, expect, it } from '@jest/globals';
import { earlierDue } from '../../src/billing/rating/run-terms.js';
import { MINUTE, instant } from '../../src/kernel/instant.js';

describe('the earlier due date', () => {
  const due = (at: string, graced: boolean) => ({ at: instant(at), graced });
  const grace = 30n * MINUTE;

  it('is the only one, the earlier of two, or the first of two equal ones', () => {
    const [a, b] = [due('2026-01-01', true), due('2026-01-02', true)];
    expect([earlierDue(null, null, grace), earlierDue(a, null, grace), earlierDue(null, b, grace)]).toEqual([
      null,
      a,
      b,
    ]);
    expect([earlierDue(a, b, grace), earlierDue(b, a, grace)]).toEqual([a, a]);
    const same = due('2026-01-01', true);
    expect(earlierDue(a, same, grace)).toBe(a);
  });

  it('includes the grace of a date that waits for it', () => {
    const waiting = due('2026-01-01', true);
    const [before, at, after] = ['2026-01-01T00:29:59Z', '2026-01-01T00:30:00Z', '2026-01-01T00:30:01Z'].map(
      (when) => due(when, false),
    );
    expect(earlierDue(waiting, before!, grace)).toBe(before);
    expect(earlierDue(waiting, at!, grace)).toBe(waiting);
    expect(earlierDue(at!, waiting, grace)).toBe(at);
    expect(earlierDue(after!, waiting, grace)).toBe(waiting);
  });
});
