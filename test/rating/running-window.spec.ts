import { describe, expect, it } from '@jest/globals';
import { runningWindow } from '../../src/billing/rating/running-window.js';
import { usageBasisOf } from '../../src/billing/rating/usage-basis.js';
import { instant } from '../../src/kernel/instant.js';
import { WEEK, aComponent, aContent, aTerm } from '../support/builders/billing.js';
import { switchedInto } from '../support/builders/continuing.js';

const between = (start: string, end: string) => ({ start: instant(start), end: instant(end) });
const [plain, weekly] = [aComponent(), aComponent({ resetInterval: WEEK })];
const january = () => aTerm(aContent()).term;

/** Switched on the 11th from a term that began on the first, with the usage of its window. */
const start = instant('2026-01-11');
const moved = [{ metricId: plain.metricId, since: instant('2026-01-01') }];
const switched = () => switchedInto(january(), start, { usage: moved });

describe('the window that an instant is in (billing.md section 3)', () => {
  it.each([
    ['the billing period', january, plain, '2026-01-20', between('2026-01-01', '2026-02-01')],
    ['a reset window', january, weekly, '2026-01-20', between('2026-01-15', '2026-01-22')],
    ['the one that begins there', january, weekly, '2026-01-15', between('2026-01-15', '2026-01-22')],
    ['the next period, after the end', january, plain, '2026-02-01', between('2026-02-01', '2026-03-01')],
    ['that of transferred usage', switched, plain, '2026-01-20', between('2026-01-01', '2026-02-01')],
    ['one after it', switched, weekly, '2026-01-20', between('2026-01-15', '2026-01-22')],
  ])('is %s', (_, term, component, at, window) => {
    expect(runningWindow(term(), component, instant(at))).toEqual(window);
  });

  it('of a metric whose usage was not transferred begins with the term', () => {
    const other = aComponent({ metricName: 'seats' });
    expect(runningWindow(switched(), other, start)).toEqual(between('2026-01-11', '2026-02-01'));
  });
});

describe('what gauges and rates are measured by', () => {
  it('is the anchor of the term, or where the reset windows are counted from', () => {
    const period = between('2026-02-10', '2026-03-10');
    const { zone, anchor } = january().basis;
    expect(usageBasisOf(plain, period, january())).toEqual({ zone, anchor, period });
    const counted = { day: 10, month: null, firstStart: period.start };
    expect(usageBasisOf(weekly, period, january())).toEqual({ zone, anchor: counted, period });
  });
});
