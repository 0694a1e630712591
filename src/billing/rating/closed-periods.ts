import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { ClosedUsagePeriod } from '../accounts/domain/event-data.js';
import type { CountedUsage, RunData, RunTerm } from './run.js';
import {
  countOfWholeWindow,
  needsCount,
  schedulesOf,
  dueUsageWindows,
  type UsageItem,
  type DueUsageWindow,
} from './usage-needs.js';

/** Makes closed usage periods of a run's counts, by charge key; ids derive from the run. */
export function closedUsagePeriods(
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

/** Counts by subscription and metric, each with its few windows. */
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

const countFor = ({ source, segment }: UsageItem, { term }: RunTerm, counts: Counts) =>
  counts
    .get(term.subscriptionId)
    ?.get(source.component.metricId)
    ?.find(({ window }) => window.start === segment.start && window.end === segment.end);

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
