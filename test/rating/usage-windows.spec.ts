import { describe, expect, it } from '@jest/globals';
import { addonMember } from '../../src/billing/rating/run-terms.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { usageWindowsOf } from '../../src/billing/rating/usage-windows.js';
import { usagePartsOf } from '../../src/billing/usage/usage-parts.js';
import { instant } from '../../src/kernel/instant.js';
import { renewalPeriod, type Period } from '../../src/kernel/period.js';
import { DAY, MONTH, WEEK, aComponent, aContent, aTerm } from '../support/builders/billing.js';
import { anAddon, switchedInto } from '../support/builders/switched-terms.js';

const between = (start: string, end: string): Period => ({ start: instant(start), end: instant(end) });
const weekly = aContent({ components: [aComponent({ resetInterval: WEEK })] });
const daily = aContent({ components: [aComponent({ resetInterval: DAY })] });
const longTerm = (changes: object = {}): RunTerm => aTerm(weekly, { end: '2026-07-20', ...changes });

const switched = (): RunTerm => {
  const former = longTerm();
  const moved = [{ metricId: weekly.components[0]!.metricId, since: instant('2026-01-08') }];
  return { ...former, term: switchedInto(former.term, instant('2026-01-11'), { usage: moved }) };
};
const cancelled = (): RunTerm => {
  const { term, ...others } = longTerm();
  const end = instant('2026-04-15');
  const settled = { flatFee: null, usage: 'bill_full', invoicing: 'invoice_now', billedAt: end } as const;
  return { ...others, term: { ...term, end }, endedBy: 'cancelled', cancelled: settled };
};
const renewedElsewhere = (): RunTerm => {
  const { term, ...others } = longTerm();
  const firstFull = renewalPeriod(term.start, 'America/New_York', MONTH, term.basis.anchor);
  return { ...others, term: { ...term, basis: { ...term.basis, zone: 'America/New_York', firstFull } } };
};
const withAddon = (): RunTerm => addonMember(longTerm(), anAddon(instant('2026-02-11')), weekly);

describe('the usage windows of a range', () => {
  const overlapping = (range: Period, listed: Period) => (term: RunTerm) =>
    usageWindowsOf(term, listed).filter(
      ({ segment }) => segment.start < range.end && range.start < segment.end,
    );

  it.each([
    ['a term', longTerm],
    ['a term that began inside a month', () => longTerm({ start: '2026-01-20', dayAnchor: 5 })],
    ['a term that a switch began', switched],
    ['a cancelled term', cancelled],
    ['a term that was renewed in another time zone', renewedElsewhere],
    ['an add-on', withAddon],
  ])('are those that overlap it, of %s', (_, termOf) => {
    const term = termOf();
    for (const [start, end] of [
      ['2025-12-01', '2026-01-09'],
      ['2026-01-10', '2026-02-03'],
      ['2026-03-01', '2026-03-02'],
      ['2026-04-14T12:00:00Z', '2026-06-01'],
      ['2026-07-18', '2027-01-01'],
      ['2026-08-01', '2026-08-02'],
    ] as const) {
      const range = between(start, end);
      const all = overlapping(range, { start: term.term.start, end: range.end })(term);
      expect(overlapping(range, range)(term)).toEqual(all);
    }
  });

  it('are listed without those of the centuries before it', () => {
    const term = aTerm(daily, { end: '8999-01-01' });
    const windows = usageWindowsOf(term, between('8998-11-10', '8998-11-11'));
    expect(windows).toHaveLength(30 + 31);
    expect(windows[0]!.segment).toEqual(between('8998-11-01', '8998-11-02'));
  });
});

describe('the months of a range', () => {
  it('are whole, however short the billing periods are', () => {
    const term = aTerm(daily, { duration: DAY, end: '2026-06-01' });
    const parts = usagePartsOf([term], between('2026-02-10', '2026-03-05'), 'month');
    expect(parts.map(({ period }) => period)).toEqual([
      between('2026-02-01', '2026-03-01'),
      between('2026-03-01', '2026-04-01'),
    ]);
  });
});
