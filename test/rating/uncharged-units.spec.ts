import { describe, expect, it } from '@jest/globals';
import { unitsAgainstUsage, usageCharge } from '../../src/billing/rating/charges.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import { exactText, quantity } from '../../src/kernel/quantity.js';
import { aComponent, aContent, aTerm, perUnit } from '../support/builders/billing.js';
import { switchedInto } from '../support/builders/switched-terms.js';

const [START, NOON, NIGHT, LATER] = ['2026-01-10', '2026-01-10T12:00:00Z', '2026-01-11', '2026-01-12'].map(
  (text) => instant(text),
) as [Instant, Instant, Instant, Instant];
const BEHAVIORS = ['full', 'prorate'] as const;
const unitsOf = (behavior: (typeof BEHAVIORS)[number]) =>
  aComponent({ tiers: [perUnit('1.00')], prepaid: { units: '20', behavior } });
const window = { start: instant('2026-01-01'), end: instant('2026-02-01') };

interface Changes {
  readonly component?: ReturnType<typeof aComponent>;
  readonly start?: Instant;
  readonly end: Instant;
  readonly basis?: 'second' | 'day';
  readonly endedBy?: RunTerm['endedBy'];
  readonly over?: Partial<RunTerm['term']['basis']>;
}

/** A term of a switch that took over the usage since 1 January. */
function termOf({ component = unitsOf('full'), start = START, end, basis, endedBy = null, over }: Changes) {
  const runTerm = aTerm(aContent({ components: [component] }), basis && { prorationBasis: basis });
  const usage = [{ metricId: component.metricId, since: window.start }];
  const term = { ...switchedInto(runTerm.term, start, { usage }), end };
  return { ...runTerm, term: { ...term, basis: { ...term.basis, ...over } }, endedBy };
}

/** Returns the units that usage since 1 January is rated against, and what 30 units of usage cost. */
function rated(changes: Changes, upTo = changes.end): readonly [string | null, string] {
  const { component = unitsOf('full') } = changes;
  const runTerm = termOf(changes);
  const { start, end } = runTerm.term;
  const period = { start, end, full: window, whole: { start: window.start, end } };
  const item = { segment: { start: window.start, end: upTo }, full: window, period };
  const units = unitsAgainstUsage(component, item, runTerm);
  return [units && exactText(units), exactText(usageCharge(component, quantity('30'), item, runTerm).exact)];
}

describe('prepaid units that are charged nothing (docs/billing.md#prepaid-units)', () => {
  it('cover nothing where the term has no length', () => {
    for (const behavior of BEHAVIORS) {
      const component = unitsOf(behavior);
      expect(rated({ component, end: START, endedBy: 'cancelled' })).toEqual([null, '30']);
      expect(rated({ component, end: NOON, endedBy: 'cancelled' })).toEqual(['20', '10']);
    }
  });

  it('cover nothing in `day` basis on the first day of a plan that is switched away from', () => {
    for (const behavior of BEHAVIORS) {
      const given = { component: unitsOf(behavior), basis: 'day' as const };
      expect(rated({ ...given, end: NOON, endedBy: 'switched' })).toEqual([null, '30']);
      expect(rated({ ...given, end: NIGHT, endedBy: 'switched' })).toEqual(['20', '10']);
      expect(rated({ ...given, end: NOON, endedBy: 'cancelled' })).toEqual(['20', '10']);
    }
  });

  it('prorated cover nothing on a day that the term before was charged for', () => {
    const given = { basis: 'day', start: START, over: { daysFrom: NIGHT } } as const;
    const end = NOON;
    expect(rated({ ...given, component: unitsOf('prorate'), end, endedBy: 'cancelled' })).toEqual([
      null,
      '30',
    ]);
    expect(rated({ ...given, component: unitsOf('full'), end, endedBy: 'cancelled' })).toEqual(['20', '10']);
  });

  it('are those of the whole window, also for usage up to a date inside it', () => {
    const given = { basis: 'day', over: { daysFrom: NIGHT } } as const;
    expect(rated({ ...given, component: unitsOf('prorate'), end: LATER }, NIGHT)).toEqual(['20', '10']);
  });

  it('leave the usage to the units of an earlier plan', () => {
    const component = unitsOf('full');
    const runTerm = termOf({ end: START, endedBy: 'cancelled' });
    const usage = [{ metricId: component.metricId, since: window.start, covered: '25' }];
    const term = { ...switchedInto(runTerm.term, START, { usage }), end: START };
    const period = { start: START, end: START, full: window, whole: { start: window.start, end: START } };
    const item = { segment: { start: window.start, end: START }, full: window, period };
    const charge = usageCharge(component, quantity('30'), item, { ...runTerm, term });
    expect([charge.exact, charge.covered!].map(exactText)).toEqual(['5', '25']);
  });

  it('cover usage of terms that began under an earlier policy', () => {
    for (const policy of ['2026-1', '2026-2', '2026-3'])
      expect(rated({ end: START, endedBy: 'cancelled', over: { policy } })).toEqual(['20', '10']);
  });
});
