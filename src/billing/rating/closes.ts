import type { PlanComponent } from '../../catalog/domain/price-content.js';
import { derivedId } from '../../kernel/ids.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Period } from '../../kernel/period.js';
import type { UsageClose } from '../domain/events.js';
import type { CountedUsage, RunData, RunTerm } from './run.js';
import type { ScheduledItem } from './schedule.js';
import { closeOfWhole, needsCount, schedulesOf } from './usage-needs.js';

/** The counts that a run makes, by chargeKey, as closes with ids that a repeat of the run has again. */
export function closesOf(data: RunData, counted: readonly CountedUsage[]): Map<string, UsageClose> {
  const closes = new Map<string, UsageClose>();
  for (const { runTerm, due } of schedulesOf(data)) {
    for (const item of due) {
      const { chargeKey, source, segment } = item;
      if (source.kind !== 'usage' || !needsCount(item, data.account)) continue;
      const answers = answersTo(runTerm.term.subscriptionId, source.component.metricId, segment);
      // As a rule they come in the order in which they were asked for.
      const next = counted[closes.size];
      const count = next && answers(next) ? next : counted.find(answers);
      if (!count) throw new Error(`the usage of ${chargeKey} up to ${segment.end} was not counted`);
      const closeId = derivedId(data.runId, `close ${closes.size}`);
      closes.set(chargeKey, closeOf(closeId, item, source.component, runTerm, count));
    }
  }
  if (counted.length > closes.size) addRecounts(data, counted, closes);
  return closes;
}

/** What a closed window comes to with usage that came late; a count that found the same makes nothing. */
function addRecounts(data: RunData, counted: readonly CountedUsage[], closes: Map<string, UsageClose>): void {
  for (const { runTerm, due } of schedulesOf(data)) {
    for (const item of due) {
      const { chargeKey, source, segment } = item;
      const before = closeOfWhole(item, data.account);
      if (source.kind !== 'usage' || !before) continue;
      const count = counted.find(answersTo(runTerm.term.subscriptionId, source.component.metricId, segment));
      if (!count || (count.eventCount === before.eventCount && count.digest === before.digest)) continue;
      const closeId = derivedId(data.runId, `close ${closes.size}`);
      const close = closeOf(closeId, item, source.component, runTerm, count);
      closes.set(chargeKey, { ...close, supersedes: before.closeId });
    }
  }
}

const answersTo =
  (subscriptionId: Uuid, metricId: Uuid, { start, end }: Period) =>
  (count: CountedUsage) =>
    count.subscriptionId === subscriptionId &&
    count.metricId === metricId &&
    count.window.start === start &&
    count.window.end === end;

const closeOf = (
  closeId: Uuid,
  { chargeKey, period }: ScheduledItem,
  { metric }: PlanComponent,
  { addon }: RunTerm,
  count: CountedUsage,
): UsageClose => {
  const close = {
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
  };
  const isCounter = metric.metricType === 'counter';
  if (isCounter && !addon) return close;
  return {
    ...close,
    ...(addon && { addonSubscriptionId: addon.addonSubscriptionId }),
    ...(isCounter ? {} : { period: period.whole }),
  };
};
