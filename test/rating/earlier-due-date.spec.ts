import { describe, expect, it } from '@jest/globals';
import { firstDue } from '../../src/billing/rating/schedule.js';
import { MINUTE, instant } from '../../src/kernel/instant.js';

describe('the earlier due date', () => {
  const due = (at: string, graced: boolean) => ({ at: instant(at), graced });
  const grace = 30n * MINUTE;

  it('is the only one, the earlier of two, or the first of two equal ones', () => {
    const [a, b] = [due('2026-01-01', true), due('2026-01-02', true)];
    expect([firstDue(null, null, grace), firstDue(a, null, grace), firstDue(null, b, grace)]).toEqual([
      null,
      a,
      b,
    ]);
    expect([firstDue(a, b, grace), firstDue(b, a, grace)]).toEqual([a, a]);
    const same = due('2026-01-01', true);
    expect(firstDue(a, same, grace)).toBe(a);
  });

  it('includes the grace of a date that waits for it', () => {
    const waiting = due('2026-01-01', true);
    const [before, at, after] = ['2026-01-01T00:29:59Z', '2026-01-01T00:30:00Z', '2026-01-01T00:30:01Z'].map(
      (when) => due(when, false),
    );
    expect(firstDue(waiting, before!, grace)).toBe(before);
    expect(firstDue(waiting, at!, grace)).toBe(waiting);
    expect(firstDue(at!, waiting, grace)).toBe(at);
    expect(firstDue(after!, waiting, grace)).toBe(waiting);
  });
});
