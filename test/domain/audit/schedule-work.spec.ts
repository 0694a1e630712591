import { describe, expect, it } from '@jest/globals';
import { spendOnSchedule } from '../../../verifier/schedule-work.js';
import { WorkLimit } from '../../../verifier/work-limit.js';
import { aComponent, aContent, aRun, aTerm } from '../../support/builders/billing.js';

const DAILY = { unit: 'day', count: 1 } as const;
const content = aContent({ components: [aComponent({ resetInterval: DAILY })] });
const year = (start: string, end: string) => (n: number) => aTerm(content, { name: `term ${n}`, start, end });
const terms = (count: number, term: (n: number) => ReturnType<typeof aTerm>) =>
  Array.from({ length: count }, (_, n) => term(n));

describe('the windows that computing a run goes through', () => {
  it('may be those of hundreds of subscriptions of a year with daily windows', () => {
    const run = aRun(terms(300, year('2026-01-01', '2027-01-01')), '2027-01-01');
    expect(() => spendOnSchedule(run, new WorkLimit('c', 300))).not.toThrow();
  });

  it('may not be those of one term of two thousand years', () => {
    const run = aRun([year('0001-01-01', '2027-01-01')(0)], '2027-01-01');
    expect(() => spendOnSchedule(run, new WorkLimit('c', 300))).toThrow('has over 50000 windows');
  });

  it('are work in proportion to the lines of the bundle', () => {
    const run = aRun(terms(300, year('1920-01-01', '2027-01-01')), '2027-01-01');
    expect(() => spendOnSchedule(run, new WorkLimit('c', 300))).toThrow('so often that verifying');
  });
});
