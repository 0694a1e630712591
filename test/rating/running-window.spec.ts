import { describe, expect, it } from '@jest/globals';
import { runningWindow, usageBasisOf } from '../../src/billing/rating/usage-windows.js';
import { instant } from '../../src/kernel/instant.js';
import { renewalPeriod } from '../../src/kernel/period.js';
import type { PricedTerm } from '../../src/pricing/price-content.js';
import { MONTH, WEEK, aComponent, aContent, aTerm } from '../support/builders/billing.js';
import { switchedInto } from '../support/builders/switched-terms.js';

const between = (start: string, end: string) => ({ start: instant(start), end: instant(end) });
const [plain, weekly] = [aComponent(), aComponent({ resetInterval: WEEK })];
const january = () => aTerm(aContent()).term;

/** Start of a term that a switch on the 11th begins, with the usage of its window since the first. */
const start = instant('2026-01-11');
const moved = [{ metricId: plain.metricId, since: instant('2026-01-01') }];
const switched = () => switchedInto(january(), start, { usage: moved });

describe('the window that an instant is in (docs/billing.md#reset-windows)', () => {
  it.each([
    ['the billing period', january, plain, '2026-01-20', between('2026-01-01', '2026-02-01')],
    ['a reset window', january, weekly, '2026-01-20', between('2026-01-15', '2026-01-22')],
    ['the one that begins there', january, weekly, '2026-01-15', between('2026-01-15', '2026-01-22')],
    ['the next period, after the end', january, plain, '2026-02-01', between('2026-02-01', '2026-03-01')],
    ['that of transferred usage', switched, plain, '2026-01-20', between('2026-01-01', '2026-02-01')],
    ['one after it', switched, weekly, '2026-01-20', between('2026-01-15', '2026-01-22')],
  ])('is %s', (_, term, component, at, window) => {
    expect(runningWindow(term(), component, instant(at)).window).toEqual(window);
  });

  it('of a metric whose usage was not transferred begins with the term', () => {
    const other = aComponent({ metricName: 'seats' });
    expect(runningWindow(switched(), other, start).window).toEqual(between('2026-01-11', '2026-02-01'));
  });

  it('is in a billing period, which after a switch begins with that of the plan before', () => {
    const periodAt = (term: PricedTerm, at: string) => runningWindow(term, weekly, instant(at)).period;
    expect(periodAt(january(), '2026-01-20')).toEqual(between('2026-01-01', '2026-02-01'));
    expect(periodAt(switched(), '2026-01-20')).toEqual(between('2026-01-01', '2026-02-01'));
    expect(periodAt(january(), '2026-02-01')).toEqual(between('2026-02-01', '2026-03-01'));
  });

  it('is what there is of the period, where that ends before the boundary beside it', () => {
    const { basis, ...term } = january();
    const [from, end] = [instant('2026-02-01'), instant('2026-02-01T02:00:00Z')];
    const firstFull = renewalPeriod(from, 'America/New_York', MONTH, basis.anchor);
    const elsewhere = { ...term, start: from, end, basis: { ...basis, zone: 'America/New_York', firstFull } };
    expect(runningWindow(elsewhere, weekly, from).window).toEqual({ start: from, end });
  });
});

describe('the period that gauges and rates are measured by', () => {
  const period = between('2026-02-10', '2026-02-20');
  const counted = { day: 10, month: null, firstStart: period.start };
  const monthly = aComponent({ resetInterval: MONTH });

  it('is the anchor and the full period of the term, whatever cuts it', () => {
    const { zone, anchor } = january().basis;
    const full = between('2026-02-01', '2026-03-01');
    const basis = { zone, anchor, period: full, since: january().start };
    for (const component of [plain, weekly])
      expect(usageBasisOf(component, period, january())).toEqual(basis);
  });

  it('counts months from where the windows are counted, where those are of months', () => {
    expect(usageBasisOf(monthly, period, january()).anchor).toEqual(counted);
  });

  it('begins with the switch that kept usage separate', () => {
    const { basis, ...term } = january();
    const since = instant('2026-01-16');
    expect(usageBasisOf(plain, period, { ...term, basis: { ...basis, ownStart: since } })).toMatchObject({
      since,
    });
  });

  it('stays by the rules of policy 2026-1 for terms that began by them', () => {
    const { basis, ...term } = january();
    const former = { ...term, basis: { ...basis, policy: '2026-1' } };
    const { zone, anchor } = basis;
    expect(usageBasisOf(plain, period, former)).toEqual({ zone, anchor, period });
    expect(usageBasisOf(weekly, period, former)).toEqual({ zone, anchor: counted, period });
  });
});
