import type { Uuid } from '../../kernel/ids.js';
import { inOrder } from '../../kernel/order.js';
import { readingOf } from '../../metering/domain/reading.js';
import type { Term } from '../../subscription/domain/events.js';
import type { AccountClose } from '../domain/event-data.js';
import type { AccountState } from '../domain/account-state.js';
import { baseOf, baseUpTo, type ClosedBase } from '../domain/closing-levels.js';
import type { RunData, RunTerm, UsageNeed } from './run.js';
import { scheduleOf, type ScheduledItem, type TermSchedule } from './schedule.js';
import { withLastMoves } from './switched-terms.js';
import { usageBasisOf } from './usage-basis.js';

/** A window of usage that is due. */
export type UsageItem = ScheduledItem & { readonly source: { readonly kind: 'usage' } };

const isUsage = (item: ScheduledItem): item is UsageItem => item.source.kind === 'usage';

/** The windows of usage that a run at `asOf` finds due, term by term. */
export const usageDue = (data: RunData): { readonly runTerm: RunTerm; readonly item: UsageItem }[] =>
  schedulesOf(data).flatMap(({ runTerm, due }) => due.filter(isUsage).map((item) => ({ runTerm, item })));

/** The counts that a run at `asOf` has to make: component windows that are due and not closed up to there. */
export const usageNeeded = (data: RunData): UsageNeed[] =>
  usageDue(data)
    .filter(({ item }) => needsCount(item, data.account))
    .map(({ runTerm, item }) =>
      needOf(item, runTerm.term, (metricId) =>
        baseUpTo(data.account.levels, metricId, runTerm.term.filters, item.segment.end),
      ),
    );

/** A window that is counted as a whole, and what to compare when it is counted again. */
export interface ClosedWindow {
  readonly need: UsageNeed;
  readonly close: AccountClose;
}

/** Windows whose usage is closed, and can still get more (billing.md section 5); of settled terms there are none. */
export const closedWindows = (data: RunData): ClosedWindow[] =>
  usageDue(data).flatMap(({ runTerm, item }) => {
    const close = closeOfWhole(item, data.account);
    return close ? [{ need: needOf(item, runTerm.term, () => baseOf(close)), close }] : [];
  });

/** An intermediate count is left alone: the next one of its window has what came late. */
export function closeOfWhole(item: UsageItem, account: AccountState): AccountClose | undefined {
  if (item.movedOn || item.billingType === 'intermediate') return undefined;
  const close = account.closes.get(item.chargeKey);
  const { start, end } = item.segment;
  return close?.window.start === start && close.window.end === end ? close : undefined;
}

export interface RunTermSchedule extends TermSchedule {
  readonly runTerm: RunTerm;
}

/** The needs and the invoice of a run come from one schedule; data that is not changed need not be read twice. */
const readOnce = new WeakMap<RunData, readonly RunTermSchedule[]>();

/** What the terms of a run owe by now, by the terms' start; a settled term is left out, whoever names it. */
export function schedulesOf(data: RunData): readonly RunTermSchedule[] {
  let schedules = readOnce.get(data);
  if (!schedules) {
    const grace = data.organization.settings.lateEventGraceMinutes;
    schedules = withLastMoves(data.terms)
      .filter(({ term }) => !data.account.settled.has(term.subscriptionId))
      .sort(byStart)
      .map((runTerm) => ({ runTerm, ...scheduleOf(runTerm, data.asOf, grace) }));
    readOnce.set(data, schedules);
  }
  return schedules;
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
  baseFor: (metricId: Uuid) => ClosedBase | undefined,
): UsageNeed {
  const { metricId, metric } = source.component;
  const { subscriptionId, filters } = term;
  const asked = { subscriptionId, metricId, definition: metric, filters, window: segment };
  if (metric.metricType === 'counter') return { ...asked, reading: segment };
  const basis = usageBasisOf(source.component, period.whole, term);
  const base = metric.eventType === 'delta' ? baseFor(metricId) : undefined;
  return { ...asked, reading: readingOf(metric, segment, basis), basis, ...(base && { base }) };
}
