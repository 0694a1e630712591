import { describe, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import { nextRun } from '../../src/billing/rating/next-run.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { aCharge, aComponent, aContent, aRun, aTerm, WEEK } from '../support/builders/billing.js';

const NOW = '2026-01-10';
const FEE = aContent({ recurringCharges: [aCharge()] });
const USAGE = aContent({ components: [aComponent()] });

const successorOf = ({ term, content }: RunTerm, name: string): RunTerm =>
  aTerm(content, { name, start: term.end, renewal: true });

/** Returns the instant of the next run and the starts of the terms that it bills. */
function next(terms: readonly RunTerm[], successors: readonly RunTerm[] = [], withNextPeriod = true) {
  const run = nextRun(aRun(terms, NOW), { successors, withNextPeriod });
  return { asOf: run.asOf, starts: run.terms.map(({ term }) => term.start.slice(0, 10)) };
}

describe('the run of the next boundary', () => {
  it('is at the end of the term and its grace, where usage is due', () => {
    expect(next([aTerm(USAGE)])).toEqual({ asOf: '2026-02-01T00:30:00.000000Z', starts: ['2026-01-01'] });
  });

  it('has the term that a renewal will begin there', () => {
    const term = aTerm(USAGE);
    expect(next([term], [successorOf(term, 'next')]).starts).toEqual(['2026-01-01', '2026-02-01']);
  });

  it('is at the renewal, where only the next term charges something', () => {
    const term = aTerm(FEE);
    expect(next([term], [successorOf(term, 'next')]).asOf).toBe('2026-02-01T00:30:00.000000Z');
    expect(next([term]).asOf).toBe('2026-01-10T00:00:00.000000Z');
  });

  it('is at an invoicing date or window before the end, which renews nothing yet', () => {
    const term = aTerm(aContent({ recurringCharges: [aCharge({ resetInterval: WEEK })] }));
    expect(next([term], [successorOf(term, 'next')])).toEqual({
      asOf: '2026-01-15T00:30:00.000000Z',
      starts: ['2026-01-01'],
    });
  });

  it('is at the earliest boundary of the account, and leaves later renewals out', () => {
    const [early, late] = [aTerm(FEE), aTerm(FEE, { name: 'late', start: '2026-01-05' })];
    const successors = [successorOf(late, 'late next'), successorOf(early, 'next')];
    expect(next([late, early], successors)).toEqual({
      asOf: '2026-02-01T00:30:00.000000Z',
      starts: ['2026-01-05', '2026-01-01', '2026-02-01'],
    });
  });

  it('has every term that begins at that instant, in the order they begin', () => {
    const [first, second] = [aTerm(FEE), aTerm(FEE, { name: 'b', start: '2026-01-05' })];
    const at = { asOf: '2026-02-05T00:30:00.000000Z', starts: ['2026-01-05', '2026-02-05', '2026-02-05'] };
    const fees = [successorOf(second, 'c'), successorOf(second, 'd')];
    expect(next([aTerm(USAGE, { start: '2026-01-05' })], fees)).toEqual(at);
    const beginning = aTerm(FEE, { name: 'begins with them', start: '2026-02-05' });
    expect(next([beginning], fees).starts).toEqual(['2026-02-05', '2026-02-05', '2026-02-05']);
    const [sooner, later] = [successorOf(first, 'e'), successorOf(second, 'f')];
    for (const successors of [
      [sooner, later],
      [later, sooner],
    ]) {
      expect(next([aTerm(aContent())], successors)).toEqual({
        asOf: '2026-02-01T00:30:00.000000Z',
        starts: ['2026-01-01', '2026-02-01'],
      });
    }
  });

  it('is at the earliest date of its terms, in whatever order they are', () => {
    const [usage, weekly] = [
      aTerm(USAGE),
      aTerm(aContent({ components: [aComponent({ invoicingInterval: WEEK })] })),
    ];
    for (const terms of [
      [usage, weekly],
      [weekly, usage],
    ]) {
      expect(next(terms).asOf).toBe('2026-01-15T00:30:00.000000Z');
    }
  });

  it('is at the start of a term that has not begun, which waits for no grace', () => {
    expect(next([aTerm(FEE, { start: '2026-01-20' })]).asOf).toBe('2026-01-20T00:00:00.000000Z');
  });

  it('is at the end of a grace that runs', () => {
    const run = nextRun(aRun([aTerm(USAGE)], '2026-02-01T00:10:00Z'), {
      successors: [],
      withNextPeriod: true,
    });
    expect(run.asOf).toBe('2026-02-01T00:30:00.000000Z');
  });

  it('is at a run that the account has planned, if that comes first', () => {
    const options = { successors: [], withNextPeriod: true };
    const at = (planned: string) =>
      nextRun(aRun([aTerm(USAGE)], NOW), { ...options, planned: [instant(planned)] }).asOf;
    expect(at('2026-01-20')).toBe('2026-01-20T00:00:00.000000Z');
    expect(at('2026-01-10')).toBe('2026-02-01T00:30:00.000000Z');
    expect(at('2026-03-01')).toBe('2026-02-01T00:30:00.000000Z');
  });

  it('after a boundary is at the one that follows it', () => {
    const weekly = aTerm(aContent({ components: [aComponent({ invoicingInterval: WEEK })] }));
    const after = instant('2026-01-15T00:30:00Z');
    const options = { successors: [], withNextPeriod: true, after };
    expect(nextRun(aRun([weekly], NOW), options).asOf).toBe('2026-01-22T00:30:00.000000Z');
    const none = { ...options, after: instant('2026-02-01T00:30:00Z') };
    expect(nextRun(aRun([weekly], NOW), none).asOf).toBe('2026-02-01T00:30:00.000000Z');
  });

  it('without the next period leaves out what begins after this moment, at the same instant', () => {
    const term = aTerm(FEE, { end: '2026-04-01' });
    const run = nextRun(aRun([term], NOW), { successors: [], withNextPeriod: false });
    expect(run.asOf).toBe('2026-02-01T00:30:00.000000Z');
    expect(run.terms).toEqual([{ ...term, periodsBegunBy: '2026-01-10T00:00:00.000000Z' }]);
    const renewing = aTerm(USAGE);
    expect(next([renewing], [successorOf(renewing, 'next')], false).starts).toEqual(['2026-01-01']);
  });
});
