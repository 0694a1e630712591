import { derivedId, type Uuid } from '../../kernel/ids.js';
import type { UsageClose } from '../domain/event-data.js';
import type { CountedUsage, RunData, RunTerm, UsageNeed } from './run.js';
import {
  closeOfWhole,
  needsCount,
  schedulesOf,
  usageDue,
  type UsageItem,
  type WindowDue,
} from './usage-needs.js';

/** The counts that a run makes, by chargeKey, as closes with ids that a repeat of the run has again. */
export function closesOf(
  data: RunData,
  counted: readonly CountedUsage[],
  schedules = schedulesOf(data),
): Map<string, UsageClose> {
  const windows = usageDue(schedules);
  const counts = new Map(counted.map((count) => [countKey(count), count]));
  const closes = new Map<string, UsageClose>();
  for (const { runTerm, item } of windows) {
    if (!needsCount(item, data.account)) continue;
    const count = counts.get(keyOf(item, runTerm));
    if (!count) throw new Error(`the usage of ${item.chargeKey} up to ${item.segment.end} was not counted`);
    closes.set(item.chargeKey, closeOf(derivedId(data.runId, `close ${closes.size}`), item, runTerm, count));
  }
  addRecounts(data, windows, counts, closes);
  return closes;
}

/** What a closed window comes to with usage that came late; a count that found the same makes nothing. */
function addRecounts(
  data: RunData,
  windows: readonly WindowDue[],
  counts: ReadonlyMap<string, CountedUsage>,
  closes: Map<string, UsageClose>,
): void {
  for (const { runTerm, item } of windows) {
    const before = closeOfWhole(item, data.account);
    const count = before && counts.get(keyOf(item, runTerm));
    if (!count || (count.eventCount === before.eventCount && count.digest === before.digest)) continue;
    const close = closeOf(derivedId(data.runId, `close ${closes.size}`), item, runTerm, count);
    closes.set(item.chargeKey, { ...close, supersedes: before.closeId });
  }
}

/** What was counted, for whom and over which window. */
const countKey = ({
  subscriptionId,
  metricId,
  window,
}: Pick<UsageNeed, 'subscriptionId' | 'metricId' | 'window'>) =>
  `${subscriptionId} ${metricId} ${window.start} ${window.end}`;

const keyOf = ({ source, segment }: UsageItem, { term }: RunTerm): string =>
  countKey({ subscriptionId: term.subscriptionId, metricId: source.component.metricId, window: segment });

const closeOf = (
  closeId: Uuid,
  { chargeKey, period, source }: UsageItem,
  { addon }: RunTerm,
  count: CountedUsage,
): UsageClose => ({
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
