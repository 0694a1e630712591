import type { Uuid } from '../../kernel/ids.js';
import { inOrder } from '../../kernel/order.js';
import { readingOf } from '../../metering/domain/reading.js';
import type { Term } from '../../subscription/domain/events.js';
import type { PeriodCount } from '../accounts/domain/event-data.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import { baseOf, checkpointUpTo, type GaugeCheckpoint } from '../accounts/domain/gauge-checkpoints.js';
import type { RunData, RunTerm, UsageNeed } from './run.js';
import { scheduleOf, type ScheduledItem, type TermSchedule } from './schedule.js';
import { withSettlements } from './settled-terms.js';
import { withEffectiveSwitches } from './switched-terms.js';
import { usageBasisOf } from './usage-basis.js';

/** A window of usage that is due. */
export type UsageItem = ScheduledItem & { readonly source: { readonly kind: 'usage' } };

export interface WindowDue {
  readonly runTerm: RunTerm;
  readonly item: UsageItem;
}

const isUsage = (item: ScheduledItem): item is UsageItem => item.source.kind === 'usage';

/** The windows of usage that a run finds due, term by term. */
export const usageDue = (schedules: RunSchedules): WindowDue[] =>
  schedules.flatMap(({ runTerm, due }) => due.filter(isUsage).map((item) => ({ runTerm, item })));

/** The counts that a run at `asOf` has to make: component windows that are due and not closed up to there. */
export const usageNeeded = (data: RunData, schedules = schedulesOf(data)): UsageNeed[] =>
  usageDue(schedules)
    .filter(({ item }) => needsCount(item, data.account))
    .map(({ runTerm, item }) =>
      needOf(item, runTerm.term, (metricId) =>
        checkpointUpTo(data.account.levels, metricId, runTerm.term.filters, item.segment.end),
      ),
    );

/** A window that is counted as a whole, and what to compare when it is counted again. */
export interface ClosedWindow {
  readonly need: UsageNeed;
  readonly close: PeriodCount;
}

/** Windows whose usage is closed, and can still get more (docs/billing.md#late-usage); of settled terms there are none. */
export const closedWindows = (data: RunData, schedules = schedulesOf(data)): ClosedWindow[] =>
  usageDue(schedules).flatMap(({ runTerm, item }) => {
    const close = wholeWindowCount(item, data.account);
    return close ? [{ need: needOf(item, runTerm.term, () => baseOf(close)), close }] : [];
  });

/** An intermediate count is left alone: the next one of its window has what came late. */
export function wholeWindowCount(item: UsageItem, account: AccountState): PeriodCount | undefined {
  if (item.movedOn || item.billingType === 'intermediate') return undefined;
  const close = account.closes.get(item.chargeKey);
  const { start, end } = item.segment;
  return close?.window.start === start && close.window.end === end ? close : undefined;
}

/** Schedules of the terms of a run: the items they owe by now. */
export type RunSchedules = readonly (TermSchedule & { readonly runTerm: RunTerm })[];

type ScheduledRun = Pick<RunData, 'terms' | 'account' | 'asOf' | 'organization' | 'policy'>;

/** By the terms' start; a settled term is left out, whoever names it. The needs and the invoice of a run come from one. */
export function schedulesOf({ terms, account, asOf, organization, policy }: ScheduledRun): RunSchedules {
  const grace = organization.settings.lateEventGraceMinutes;
  return withSettlements(withEffectiveSwitches(terms), { policy })
    .filter(({ term }) => !account.settled.has(term.subscriptionId))
    .sort(byStart)
    .map((runTerm) => {
      const { due, next } = scheduleOf(runTerm, asOf, grace);
      return { runTerm, due, next };
    });
}

function byStart({ term: a, addon: addonOfA }: RunTerm, { term: b, addon: addonOfB }: RunTerm): number {
  return (
    inOrder(a.start, b.start) ||
    inOrder(a.subscriptionId, b.subscriptionId) ||
    inOrder(addonOfA?.addonSubscriptionId ?? '', addonOfB?.addonSubscriptionId ?? '')
  );
}

/** A window is counted once for each date it is invoiced on; a run with an earlier `asOf` never counts it back. */
export function needsCount(item: UsageItem, account: AccountState): boolean {
  if (item.movedOn) return false;
  const close = account.closes.get(item.chargeKey);
  return close === undefined || close.window.end < item.segment.end;
}

/** @param baseFor what a gauge that deltas move is counted from: another count of it that finds the same says the same */
function needOf(
  { source, segment, period }: UsageItem,
  term: Term,
  baseFor: (metricId: Uuid) => GaugeCheckpoint | undefined,
): UsageNeed {
  const { metricId, metric } = source.component;
  const { subscriptionId, filters } = term;
  const need = { subscriptionId, metricId, definition: metric, filters, window: segment, reading: segment };
  if (metric.metricType === 'counter') return need;
  const basis = usageBasisOf(source.component, period.whole, term);
  const base = metric.eventType === 'delta' ? baseFor(metricId) : undefined;
  return { basis, ...(base && { base }), ...need, reading: readingOf(metric, segment, basis) };
}
