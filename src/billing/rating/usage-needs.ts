import { ascending, derivedId, type Uuid } from '../../kernel/ids.js';
import type { Period } from '../../kernel/period.js';
import { doSteps, type Steps } from '../../kernel/iteration.js';
import { readSpan } from '../../metering/domain/read-span.js';
import type { Term } from '../../subscription/domain/events.js';
import type { ClosedUsagePeriod, PeriodCount } from '../accounts/domain/event-data.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import {
  gaugeCheckpointOf,
  gaugeCheckpointUpTo,
  type GaugeCheckpoint,
} from '../accounts/domain/gauge-checkpoints.js';
import type { CountedUsage, RunData, RunTerm, UsageNeed } from './run.js';
import { type ScheduledItem, scheduleOf, type TermSchedule } from './schedule.js';
import { graceOf, unsettledTerms } from './run-terms.js';
import { usageBasisOf, type UsageWindow } from './usage-windows.js';

/** A window of usage that is due. */
export type UsageItem = ScheduledItem & { readonly source: { readonly kind: 'usage' } };

export interface DueUsageWindow {
  readonly runTerm: RunTerm;
  readonly item: UsageItem;
}

const isUsage = (item: ScheduledItem): item is UsageItem => item.source.kind === 'usage';

/** Lists the windows of usage that are due, term by term. */
export const dueUsageWindows = (schedules: RunSchedules): DueUsageWindow[] =>
  schedules.flatMap(({ runTerm, due }) => due.filter(isUsage).map((item) => ({ runTerm, item })));

/** Lists the counts that a run at `asOf` needs: component windows that are due and not closed up to there. */
export const usageNeeded = (data: RunData, schedules = schedulesOf(data)): UsageNeed[] =>
  dueUsageWindows(schedules)
    .filter(({ item }) => needsCount(item, data.account))
    .map(({ runTerm, item }) =>
      needOf(item, runTerm, (metricId) =>
        gaugeCheckpointUpTo(data.account.checkpoints, metricId, runTerm.term.filters, item.segment.end),
      ),
    );

/** A window that is closed as a whole, with the count that a new count is compared with. */
export interface ClosedWindow {
  readonly need: UsageNeed;
  readonly count: PeriodCount;
}

/** Lists closed windows of unsettled terms: they can still get late usage (docs/billing.md#late-usage). */
export const closedWindows = (data: RunData, schedules = schedulesOf(data)): ClosedWindow[] =>
  dueUsageWindows(schedules).flatMap(({ runTerm, item }) => {
    const count = countOfWholeWindow(item, data.account);
    return count ? [{ need: needOf(item, runTerm, () => gaugeCheckpointOf(count)), count }] : [];
  });

/**
 * Returns the count of a window that is closed as a whole. An intermediate count is never repeated: the next count of
 * its window includes late usage.
 */
export function countOfWholeWindow(item: UsageItem, account: AccountState): PeriodCount | undefined {
  if (item.transferredToSuccessor || item.billingType === 'intermediate') return undefined;
  const count = account.counts.get(item.chargeKey);
  const { start, end } = item.segment;
  return count?.window.start === start && count.window.end === end ? count : undefined;
}

/** The schedules of a run's terms. */
export type RunSchedules = readonly (TermSchedule & { readonly runTerm: RunTerm })[];

type ScheduledRun = Pick<RunData, 'terms' | 'account' | 'asOf' | 'organization' | 'policy'>;

/** Schedules the unsettled terms of a run in the order of their starts. Needs and invoice use the same schedules. */
export const schedulesOf = (run: ScheduledRun): RunSchedules => doSteps(scheduleSteps(run));

/** Schedules the terms in steps: a run over hundreds of terms lets others go on between them. */
export function* scheduleSteps({
  terms,
  account,
  asOf,
  organization,
  policy,
}: ScheduledRun): Steps<RunSchedules> {
  const grace = graceOf(organization.settings);
  const unsettled = unsettledTerms({ terms, account, policy }).sort(byStartAndId);
  yield;
  const schedules: RunSchedules[number][] = [];
  for (const runTerm of unsettled) {
    schedules.push({ runTerm, ...scheduleOf(runTerm, asOf, grace) });
    yield;
  }
  return schedules;
}

function byStartAndId({ term: a, addon: addonOfA }: RunTerm, { term: b, addon: addonOfB }: RunTerm): number {
  return (
    ascending(a.start, b.start) ||
    ascending(a.subscriptionId, b.subscriptionId) ||
    ascending(addonOfA?.addonSubscriptionId ?? '', addonOfB?.addonSubscriptionId ?? '')
  );
}

/** Tells whether a run counts a window: once per invoicing date, and not again for an earlier `asOf`. */
export function needsCount(item: UsageItem, account: AccountState): boolean {
  if (item.transferredToSuccessor) return false;
  const count = account.counts.get(item.chargeKey);
  return count === undefined || count.window.end < item.segment.end;
}

/** Returns the count of a window's usage, or of a part of it: the part is counted as if it were the window. */
export const countOfWindow = (
  { source, segment, period }: UsageWindow,
  term: Term,
  part: Period = segment,
): UsageNeed => needOf({ source, segment: part, period }, { term }, () => undefined);

/** @param baseFor returns the earlier count that a gauge of deltas continues */
function needOf(
  { source, segment, period }: Pick<UsageItem, 'source' | 'segment' | 'period'>,
  { term, addon }: Pick<RunTerm, 'term' | 'addon'>,
  baseFor: (metricId: Uuid) => GaugeCheckpoint | undefined,
): UsageNeed {
  const { metricId, metric } = source.component;
  const { subscriptionId, filters } = term;
  const need = {
    subscriptionId,
    metricId,
    ...(addon && { addonSubscriptionId: addon.addonSubscriptionId }),
    definition: metric,
    filters,
    window: segment,
    reading: segment,
  };
  if (metric.metricType === 'counter') return need;
  const basis = usageBasisOf(source.component, period.whole, term);
  const base = metric.eventType === 'delta' ? baseFor(metricId) : undefined;
  return { basis, ...(base && { base }), ...need, reading: readSpan(metric, segment, basis) };
}

/** Makes closed usage periods of a run's counts, by charge key; ids derive from the run. */
export function closePeriods(
  data: RunData,
  counted: readonly CountedUsage[],
  schedules = schedulesOf(data),
): Map<string, ClosedUsagePeriod> {
  const windows = dueUsageWindows(schedules);
  const counts = bySubscriptionAndMetric(counted);
  const closed = new Map<string, ClosedUsagePeriod>();
  for (const { runTerm, item } of windows) {
    if (!needsCount(item, data.account)) continue;
    const count = countFor(item, runTerm, counts);
    if (!count) throw new Error(`the usage of ${item.chargeKey} up to ${item.segment.end} was not counted`);
    closed.set(
      item.chargeKey,
      closedPeriod(derivedId(data.runId, `close ${closed.size}`), item, runTerm, count),
    );
  }
  addRecounts(data, windows, counts, closed);
  return closed;
}

/** Adds recounts of closed windows that got late usage; an equal count adds nothing. */
function addRecounts(
  data: RunData,
  windows: readonly DueUsageWindow[],
  counts: Counts,
  closed: Map<string, ClosedUsagePeriod>,
): void {
  for (const { runTerm, item } of windows) {
    const before = countOfWholeWindow(item, data.account);
    const count = before && countFor(item, runTerm, counts);
    if (!count || (count.eventCount === before.eventCount && count.digest === before.digest)) continue;
    const recount = closedPeriod(derivedId(data.runId, `close ${closed.size}`), item, runTerm, count);
    closed.set(item.chargeKey, { ...recount, supersedes: before.closeId });
  }
}

/** Counts, grouped by subscription and metric; each group has few windows. */
type Counts = ReadonlyMap<Uuid, ReadonlyMap<Uuid, readonly CountedUsage[]>>;

function bySubscriptionAndMetric(counted: readonly CountedUsage[]): Counts {
  const counts = new Map<Uuid, Map<Uuid, CountedUsage[]>>();
  for (const count of counted) {
    const { subscriptionId, metricId } = count;
    const metrics = counts.get(subscriptionId) ?? new Map<Uuid, CountedUsage[]>();
    const windows = metrics.get(metricId) ?? [];
    windows.push(count);
    counts.set(subscriptionId, metrics.set(metricId, windows));
  }
  return counts;
}

/**
 * Finds the count of a window of the plan or of an add-on. Counts of earlier releases do not say which: then it is the first
 * of the window.
 */
function countFor({ source, segment }: UsageItem, { term, addon }: RunTerm, counts: Counts) {
  const { start, end } = segment;
  let ofWindow: CountedUsage | undefined;
  for (const count of counts.get(term.subscriptionId)?.get(source.component.metricId) ?? []) {
    if (count.window.start !== start || count.window.end !== end) continue;
    if (count.addonSubscriptionId === addon?.addonSubscriptionId) return count;
    ofWindow ??= count;
  }
  return ofWindow;
}

const closedPeriod = (
  closeId: Uuid,
  { chargeKey, period, source }: UsageItem,
  { addon }: RunTerm,
  count: CountedUsage,
): ClosedUsagePeriod => ({
  closeId,
  chargeKey,
  subscriptionId: count.subscriptionId,
  metricId: count.metricId,
  window: count.window,
  reading: count.reading,
  quantity: count.quantity,
  eventCount: count.eventCount,
  absentValues: count.absentValues,
  sealedUpTo: count.sealedUpTo,
  digest: count.digest,
  supersedes: null,
  ...(count.level && { level: count.level }),
  ...(addon && { addonSubscriptionId: addon.addonSubscriptionId }),
  ...(source.component.metric.metricType !== 'counter' && { period: period.whole }),
});
