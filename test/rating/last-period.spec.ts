import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { billingPeriodsOf, lastPeriodOf } from '../../src/pricing/proration.js';
import { carriedOverAtRenewal } from '../../src/pricing/carried-over-proration.js';
import { DAY, fromMicros, instant, toMicros } from '../../src/kernel/instant.js';
import { nextBoundary } from '../../src/kernel/period.js';
import { grids } from '../properties/arbitraries.js';
import { aPriceContent } from '../support/builders/catalog.js';
import { aTerm } from '../support/builders/subscription.js';

describe('the last billing period of a term', () => {
  it('is the last of all of them, wherever the term ends', () => {
    const { basis } = aTerm();
    const lengths = fc.bigInt({ min: 1n, max: 3_000n * DAY });
    fc.assert(
      fc.property(grids, lengths, fc.boolean(), ({ start, zone, interval, anchor }, length, isWhole) => {
        const set = fromMicros(toMicros(start) + length);
        const end = isWhole ? nextBoundary(set, zone, interval, anchor) : set;
        const term = { start, end, basis: { ...basis, zone, duration: interval, anchor } };
        expect(lastPeriodOf(term)).toEqual(billingPeriodsOf(term, end).at(-1));
      }),
    );
  });

  it('of a term that lasts thousands of years is found as fast as any', () => {
    const term = { ...aTerm(), end: instant('8999-12-31T12:00:00Z') };
    const daily = { ...term.basis, duration: { unit: 'day', count: 1 } as const };
    // The shortest of five measurements: a busy machine may delay any single one.
    let soonest = Infinity;
    for (let tries = 0; tries < 5; tries += 1) {
      const began = performance.now();
      const continued = carriedOverAtRenewal({ term: { ...term, basis: daily } }, aPriceContent());
      soonest = Math.min(soonest, performance.now() - began);
      expect(continued?.periodStart).toBe(term.end);
    }
    expect(soonest).toBeLessThan(1_000);
  });
});
