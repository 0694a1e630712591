import type { RunData, RunTerm, UsageNeed } from './run.js';
import { scheduleOf } from './schedule.js';
import type { ScheduledItem } from './schedule.js';

/** The counts that a run at `asOf` has to make: component windows that are due and not closed up to there. */
export function usageNeeded(data: RunData): UsageNeed[] {
  const grace = data.organization.settings.lateEventGraceMinutes;
  return openTerms(data).flatMap((runTerm) =>
    scheduleOf(runTerm, data.asOf, grace)
      .due.filter((item) => needsCount(item, data))
      .map((item) => needOf(item, runTerm)),
  );
}

/** The terms a run bills, by their start: those of the account that are not settled, in whatever order they came. */
export const openTerms = ({ terms, account }: Pick<RunData, 'terms' | 'account'>): RunTerm[] =>
  terms
    .filter(({ term }) => !account.settled.has(term.subscriptionId))
    .sort((a, b) => compareTexts(placeOf(a), placeOf(b)));

const placeOf = ({ term }: RunTerm): string => `${term.start} ${term.subscriptionId}`;
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A window is counted once for each date it is invoiced on; a run with an earlier `asOf` never counts it back. */
export function needsCount(item: ScheduledItem, { account }: Pick<RunData, 'account'>): boolean {
  if (item.source.kind !== 'usage') return false;
  const close = account.closes.get(item.chargeKey);
  return close === undefined || close.window.end < item.segment.end;
}

function needOf(item: ScheduledItem, { term }: RunTerm): UsageNeed {
  if (item.source.kind !== 'usage') throw new TypeError('a fee has no usage');
  const { metricId, metric } = item.source.component;
  return {
    subscriptionId: term.subscriptionId,
    metricId,
    definition: metric,
    filters: term.filters,
    window: item.segment,
    reading: item.segment,
  };
}

/** Finds the answer to an item's need. */
export const countKey = (subscriptionId: string, metricId: string, { start, end }: UsageNeed['window']) =>
  `${subscriptionId}/${metricId}/${start}/${end}`;
