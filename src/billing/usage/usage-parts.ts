import { ascending, derivedId, type Uuid } from '../../kernel/ids.js';
import { plusMicros, type Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import { intersect } from '../../kernel/period.js';
import { startOfLocalDay } from '../../kernel/zone.js';
import { gridOf, type Grid } from '../../metering/domain/granularity.js';
import { withEffectiveSwitches } from '../rating/run-terms.js';
import type { RunTerm, UsageNeed } from '../rating/run.js';
import { countOfWindow } from '../rating/usage-needs.js';
import type { ComponentQuestion } from './gauge-bases.js';
import { usageWindowsOf, type UsageWindow } from '../rating/usage-windows.js';

/** Lengths of the periods that usage is shown by; a `window` is what an invoice line charges. */
export const USAGE_PERIODS = ['hour', 'day', 'month', 'window'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

/** A period of one component of a term, with the count of its usage. */
export interface UsagePart {
  /** Derived from the term or add-on and the metric. */
  readonly id: Uuid;
  readonly runTerm: RunTerm;
  /** The window of billing that the period begins in. */
  readonly window: UsageWindow;
  readonly period: Period;
  readonly need: UsageNeed;
}

/**
 * Lists the periods that overlap a range, whole, in the order of their starts. The windows are those that billing charges;
 * hours, days and months are cut only where the component's usage begins or ends.
 * @param terms of one customer, with their add-ons
 */
export function usagePartsOf(terms: readonly RunTerm[], range: Period, by: UsagePeriod): UsagePart[] {
  const parts = withEffectiveSwitches(terms).flatMap((runTerm) => {
    const { zone } = runTerm.term.basis;
    const windows = usageWindowsOf(runTerm, by === 'window' ? range : wholePeriods(range, gridBy(by, zone)));
    const metrics = new Set(windows.map(({ source }) => source.component.metricId));
    return [...metrics].flatMap((metricId) => {
      const own = windows
        .filter(({ source }) => source.component.metricId === metricId)
        .sort((a, b) => ascending(a.segment.start, b.segment.start));
      const id = derivedId(runTerm.addon?.addonSubscriptionId ?? runTerm.term.subscriptionId, metricId);
      return periodsOf(own, range, by, zone).map(({ window, period }) => ({
        id,
        runTerm,
        window,
        period,
        need: countOfWindow(window, runTerm.term, period),
      }));
    });
  });
  return parts.sort((a, b) => ascending(a.period.start, b.period.start) || ascending(a.id, b.id));
}

/** Returns the question for the usage of a part. */
export const componentQuestionOf = (
  customerKey: Uuid,
  { need: { definition, filters, window, basis, metricId }, runTerm }: UsagePart,
): ComponentQuestion => ({
  question: { customerKey, definition, filters, window, ...(basis && { basis }) },
  metricId,
  currency: runTerm.term.basis.currency,
});

interface WindowPeriod {
  readonly window: UsageWindow;
  readonly period: Period;
}

/** Widens a range to the whole periods that it overlaps. */
const wholePeriods = ({ start, end }: Period, grid: Grid): Period => ({
  start: grid(start).start,
  end: grid(plusMicros(end, -1n)).end,
});

const overlaps = (a: Period, b: Period): boolean => a.start < b.end && b.start < a.end;

/** @param windows of one component, which follow one another */
function periodsOf(
  windows: readonly UsageWindow[],
  range: Period,
  by: UsagePeriod,
  zone: string,
): WindowPeriod[] {
  const overlapping = windows.filter(({ segment }) => overlaps(segment, range));
  if (by === 'window') return overlapping.map((window) => ({ window, period: window.segment }));
  const [first, last] = [windows[0], windows.at(-1)];
  if (!first || !last) return [];
  const whole = { start: first.segment.start, end: last.segment.end };
  const grid = gridBy(by, zone);
  const periods: WindowPeriod[] = [];
  let { start: from } = intersect(whole, range);
  while (from < range.end && from < whole.end) {
    const period = intersect(grid(from), whole);
    const window = windows.find(({ segment }) => period.start >= segment.start && period.start < segment.end);
    if (window) periods.push({ window, period });
    from = period.end;
  }
  return periods;
}

/** Hours are those of UTC, as a metric's are; days and months are local. */
function gridBy(by: Exclude<UsagePeriod, 'window'>, zone: string): Grid {
  if (by === 'hour') return gridOf('hours', undefined);
  const firstStart: Instant = startOfLocalDay({ year: 2000, month: 1, day: 1 }, zone);
  const anchor = { day: 1, month: null, firstStart };
  return gridOf(by === 'day' ? 'days' : 'months', {
    zone,
    anchor,
    period: { start: firstStart, end: firstStart },
  });
}
