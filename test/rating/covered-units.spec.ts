import { describe, expect, it } from '@jest/globals';
import { coveredUnits, retainedUnits } from '../../src/pricing/carried-over-proration.js';
import { usageCharge } from '../../src/billing/rating/charges.js';
import { instant } from '../../src/kernel/instant.js';
import { exactText, quantity } from '../../src/kernel/quantity.js';
import type { PrepaidChange } from '../../src/pricing/price-content.js';
import { aComponent, aContent, aTerm, perUnit } from '../support/builders/billing.js';
import { switchedInto } from '../support/builders/switched-terms.js';

const START = instant('2026-01-01');
const window = { start: START, end: instant('2026-01-31') };
const prepaid = (behavior: 'full' | 'prorate') => aComponent({ prepaid: { units: '20', behavior } });
const changed: PrepaidChange = {
  metricId: prepaid('full').metricId,
  units: '50',
  unitsBefore: '20',
  invoiceNow: true,
  effectiveAt: instant('2026-01-11'),
};
const kept = (
  behavior: 'full' | 'prorate',
  at: string,
  { full = window, prorationBasis = 'second' as 'second' | 'day', changes = [] as PrepaidChange[] } = {},
) => {
  const term = { ...aTerm(aContent(), { prorationBasis }).term, end: instant(at) };
  const found = retainedUnits(
    prepaid(behavior),
    { window, full },
    { term, endedBy: 'switched', prepaidChanges: changes },
    instant(at),
  );
  return exactText(found);
};

describe('units that stay paid for after a switch', () => {
  it('are all of them in full, the latest', () => {
    expect(kept('full', '2026-01-16')).toBe('20');
    expect(kept('full', '2026-01-16', { changes: [changed] })).toBe('50');
    // A change at the instant of the switch has no time on the former plan.
    expect(kept('full', '2026-01-11', { changes: [changed] })).toBe('20');
  });

  it('prorated are the share of their window, each part with the units it had', () => {
    expect(kept('prorate', '2026-01-16')).toBe('10');
    // Sum of 10 days at 20 units and 5 days at 50 units, divided by 30 days.
    expect(kept('prorate', '2026-01-16', { changes: [changed] })).toBe('15');
  });

  it('are the share of the window also where that is a part of its full interval', () => {
    const full = { start: instant('2025-12-02'), end: window.end };
    expect(kept('prorate', '2026-01-16', { full })).toBe('10');
  });

  it('are none in `day` basis on the first day of the window', () => {
    for (const behavior of ['full', 'prorate'] as const)
      expect(kept(behavior, '2026-01-01T10:00:00Z', { prorationBasis: 'day' })).toBe('0');
  });

  it('are none without prepaid units', () => {
    const { term } = aTerm(aContent());
    const none = retainedUnits(
      aComponent(),
      { window, full: window },
      { term, endedBy: 'switched' },
      window.end,
    );
    expect(exactText(none)).toBe('0');
  });
});

describe('usage that a switch transferred', () => {
  const plain = aComponent({ tiers: [perUnit('2.00')] });
  const { metricId } = plain;
  const moved = [{ metricId, since: START, covered: '15' }];
  const runTerm = () => {
    const january = aTerm(aContent({ components: [plain] }));
    return { ...january, term: switchedInto(january.term, instant('2026-01-16'), { usage: moved }) };
  };
  const costs = (used: string, start = START, component = plain) => {
    const segment = { start, end: window.end };
    const item = { segment, full: window, period: { ...window, full: window, whole: window } };
    const charge = usageCharge(component, quantity(used), item, runTerm());
    return [exactText(charge.exact), exactText(charge.quantity)];
  };

  it('is covered as far as the units go, and the rest is rated', () => {
    expect(costs('25')).toEqual(['20', '25']);
    expect(costs('10')).toEqual(['0', '10']);
  });

  it('is covered in its own window alone, and only where the plan has no units', () => {
    expect(costs('25', instant('2026-01-20'))).toEqual(['50', '25']);
    const units = { ...plain, prepaid: { units: '5', behavior: 'full' as const } };
    expect(costs('25', START, units)).toEqual(['40', '25']);
    expect(exactText(coveredUnits('another', START, runTerm().term))).toBe('0');
  });
});
