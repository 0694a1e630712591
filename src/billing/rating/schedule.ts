import { earliest, plusMicros, type Instant } from '../../kernel/instant.js';
import { isEmpty, type Period } from '../../kernel/period.js';
import type { Term } from '../../subscription/domain/events.js';
import { ChargeKey } from '../accounts/domain/account-charges.js';
import {
  billingPeriodsOf,
  invoicingDateOf,
  invoicingDatesOf,
  resetWindowsOf,
  type BillingPeriod,
  latestChange,
} from '../../pricing/proration.js';
import { earlierDue, endDueDate, isChargedWithoutLength, isUsageDropped } from './run-terms.js';
import {
  type ChargeSource,
  fullPeriodAt,
  isInAdvance,
  intervalsOf,
  sourceKey,
  sourcesOf,
} from '../../pricing/price-content.js';
import { usageSince } from '../../pricing/carried-over-proration.js';
import type { DueDate, RunTerm } from './run.js';

/** An item that falls due: a charge or a component over a window of a term. */
export interface ScheduledItem {
  /** Text of the `ChargeKey`. */
  readonly chargeKey: string;
  readonly source: ChargeSource;
  readonly period: BillingPeriod;
  /** The part of the window that is charged: all of it, or up to an intermediate invoicing date. */
  readonly segment: Period;
  /** The full interval that the window is a part of: the denominator of a proration factor. */
  readonly full: Period;
  readonly due: DueDate;
  readonly billingType: 'in_advance' | 'in_arrears' | 'intermediate' | 'one_time';
  /**
   * False for an advance charge of a running term: once charged, it is not computed again until the term's end is set or
   * its prepaid units change.
   */
  readonly recomputed: boolean;
  /** True when a switch transferred the usage of this window: the successor charges it. */
  readonly transferredToSuccessor: boolean;
}

/** A billing period of a term that may have been cut. */
interface ChargedPeriod {
  readonly begun: BillingPeriod;
  /** The period up to the term's end. */
  readonly uptoEnd: BillingPeriod;
}

type ScheduledWindow = Pick<
  ScheduledItem,
  'chargeKey' | 'period' | 'segment' | 'full' | 'transferredToSuccessor'
>;

/** The fields of a term that its schedule depends on. */
export type ScheduledTerm = Pick<
  RunTerm,
  | 'term'
  | 'renewal'
  | 'endedBy'
  | 'cancelled'
  | 'switched'
  | 'endMoved'
  | 'addon'
  | 'prepaidChanges'
  | 'content'
  | 'periodsBegunBy'
  | 'dueByOtherTerms'
>;

export interface TermSchedule {
  readonly due: readonly ScheduledItem[];
  /** Null if nothing of the term falls due any more. */
  readonly next: DueDate | null;
  /** True when the term's end was set and its last due date has passed. */
  readonly isEndDue: boolean;
}

/**
 * Computes the items of a term that are due by `asOf`, in the order of the plan and then of time, and the next due date.
 * When several invoicing dates of a window have passed, only the item of the latest is due: it contains the others.
 *
 * A term is cut into billing periods, a period into reset windows. In advance, an item is due at its window's start; in
 * arrears, on the invoicing date at or after its window's end; usage of a running window also on the dates before.
 */
export function scheduleOf(term: ScheduledTerm, asOf: Instant, grace: bigint): TermSchedule {
  const gracedAsOf = plusMicros(asOf, -grace);
  const { dueByOtherTerms } = term;
  const due = new Map<string, ScheduledItem>();
  const isDue = ({ at, graced }: DueDate) => at <= (graced ? gracedAsOf : asOf);
  let next: DueDate | null = null;
  const periods = chargedPeriodsOf(term, asOf);
  for (const source of sourcesOf(term.content)) {
    for (const item of itemsOf(source, term, periods, asOf)) {
      const date = earliestDue(item.due, dueByOtherTerms, grace);
      if (!isDue(date)) {
        next = earlierDue(next, date, grace);
        continue;
      }
      due.delete(item.chargeKey);
      due.set(item.chargeKey, item);
    }
  }
  const isEndDue = isEndSet(term) && isDue(earliestDue(dueAtEnd(term, 'recurring'), dueByOtherTerms, grace));
  return { due: [...due.values()], next, isEndDue };
}

const isEndSet = ({ cancelled, switched, endMoved }: ScheduledTerm): boolean =>
  cancelled !== undefined || switched !== undefined || endMoved === true;

/**
 * Returns the billing periods of a term that have begun by `until`, and the next one.
 * @param since instant from which on periods are listed; by default from the term's start
 */
export function chargedPeriodsOf(term: ScheduledTerm, until: Instant, since?: Instant): ChargedPeriod[] {
  const { periodsBegunBy: lastBegin } = term;
  return billingPeriodsOf(fromPeriodAt(since, uncut(term)), until)
    .filter(({ start }) => lastBegin === undefined || start <= lastBegin)
    .map((period) => chargedPeriod(period, term));
}

/** Returns the term without the billing periods that end before an instant. */
function fromPeriodAt(since: Instant | undefined, term: Term): Term {
  if (since === undefined || since <= term.start) return term;
  const { start } = fullPeriodAt(since, term.basis);
  // Only the first period of a term can continue one of its predecessor.
  const { continues: _continues, ...basis } = term.basis;
  return start <= term.start ? term : { ...term, start, basis };
}

/** Lists all items of one source in these periods, in the order they fall due, up to the first after `until`. */
const itemsOf = (
  source: ChargeSource,
  term: ScheduledTerm,
  periods: readonly ChargedPeriod[],
  until: Instant,
): readonly ScheduledItem[] =>
  isInAdvance(source) ? inAdvanceItems(source, term, periods) : inArrearsItems(source, term, periods, until);

function inAdvanceItems(
  source: ChargeSource,
  term: ScheduledTerm,
  periods: readonly ChargedPeriod[],
): ScheduledItem[] {
  const { start, basis } = term.term;
  const windows = scheduledWindows(source, term, periods);
  const items: ScheduledItem[] = [];
  const put = (window: ScheduledWindow, due: DueDate, type: 'in_advance' | 'in_arrears', recomputed = true) =>
    items.push(itemOf(source, window, due, billingTypeOf(term, type), recomputed));
  if (term.addon?.advanceChargesAtEnd) {
    for (const window of windows) put(window, dueAtEnd(term, source.kind), 'in_arrears');
    return items;
  }
  const end = isEndSet(term) ? dueAtEnd(term, source.kind) : undefined;
  for (const window of windows) {
    const { segment } = window;
    if (isEmpty(segment)) continue;
    const from = segment.start;
    // After a switch with `add_to_next_invoice` the first charges wait for the end of the period.
    const at = from === start ? (basis.continues?.billedAt ?? from) : from;
    const graced = term.renewal || at > start;
    if (!end || at < end.at) put(window, { at, graced }, 'in_advance', false);
    const changedAt = unitsChangedAt(source, segment, term);
    if (changedAt !== undefined) put(window, { at: changedAt, graced: false }, 'in_advance');
  }
  if (end) for (const window of windows) put(window, end, 'in_advance');
  return items;
}

/**
 * Returns the instant from which changed prepaid units can be billed. The next run bills them, whatever its cause; no
 * run is scheduled for them. A change in a window that a set end cuts is settled at the end, as fees are.
 */
function unitsChangedAt(source: ChargeSource, segment: Period, term: ScheduledTerm): Instant | undefined {
  if (source.kind !== 'prepaid') return undefined;
  const change = latestChange(source.component, term, segment);
  const waits = segment.end === term.term.end && (term.endedBy !== null || change?.settledAtEnd);
  return waits ? undefined : change?.effectiveAt;
}

export function inArrearsItems(
  source: ChargeSource,
  term: ScheduledTerm,
  periods: readonly ChargedPeriod[],
  until: Instant,
): ScheduledItem[] {
  const { end } = term.term;
  const { invoicingInterval } = intervalsOf(source);
  const dates = invoicingDatesOf(term.term, invoicingInterval, until);
  const items: ScheduledItem[] = [];
  for (const window of scheduledWindows(source, term, periods)) {
    const { segment, period, transferredToSuccessor } = window;
    if (isEmpty(segment) && (source.kind === 'usage' || !isChargedWithoutLength(term))) continue;
    if (source.kind === 'usage' && !transferredToSuccessor) {
      for (const at of dates) {
        if (at <= segment.start || at >= segment.end) continue;
        const soFar = { start: segment.start, end: at };
        items.push(itemOf(source, { ...window, segment: soFar }, { at, graced: true }, 'intermediate'));
      }
    }
    const date = invoicingInterval ? invoicingDateOf(segment, invoicingInterval, term.term) : period.full.end;
    const at = earliest(date, end);
    const due = at < end && !transferredToSuccessor ? { at, graced: true } : dueAtEnd(term, source.kind);
    if (source.kind === 'usage' && isUsageDropped(date, term)) continue;
    const billingType = source.kind === 'usage' ? 'in_arrears' : billingTypeOf(term, 'in_arrears');
    items.push(itemOf(source, window, due, billingType));
  }
  return items;
}

const itemOf = (
  source: ChargeSource,
  { chargeKey, period, segment, full, transferredToSuccessor }: ScheduledWindow,
  due: DueDate,
  billingType: ScheduledItem['billingType'],
  recomputed = true,
): ScheduledItem => ({
  chargeKey,
  source,
  period,
  segment,
  full,
  due,
  billingType,
  recomputed,
  transferredToSuccessor,
});

const billingTypeOf = ({ addon }: ScheduledTerm, type: 'in_advance' | 'in_arrears') =>
  addon?.once ? 'one_time' : type;

/**
 * Returns the due date of items that are settled at the end of a term. Usage that a switch keeps separate waits for the
 * end of the period.
 */
function dueAtEnd(term: ScheduledTerm, kind: ChargeSource['kind']): DueDate {
  const { switched } = term;
  if (switched?.usage === 'keep_separate' && kind === 'usage') {
    return { at: switched.periodEnd, graced: true };
  }
  return endDueDate(term);
}

/** Lists the windows of these periods, with the window of zero length that begins at the cut of a term. */
export function scheduledWindows(
  source: ChargeSource,
  term: ScheduledTerm,
  periods: readonly ChargedPeriod[],
): ScheduledWindow[] {
  const windows: ScheduledWindow[] = [];
  const { resetInterval } = intervalsOf(source);
  const { start, end } = term.term;
  const { switched } = term;
  // A plan that was switched away from at once counts nothing: its usage belongs to the plans before and after it.
  if (source.kind === 'usage' && switched && isEmpty(term.term)) return windows;
  const owner = term.addon?.addonSubscriptionId ?? term.term.subscriptionId;
  const key = { owner, source: sourceKey(source) };
  for (const { begun, uptoEnd } of periods) {
    for (const { window, full } of resetWindowsOf(begun, resetInterval, term.term)) {
      const usage = source.kind === 'usage' ? source.component.metricId : undefined;
      const from = usage && window.start === start ? usageSince(usage, term.term) : window.start;
      const segment = { start: from, end: earliest(window.end, end) };
      const transferredToSuccessor =
        window.end > end && switched?.moved.some((metricId) => metricId === usage) === true;
      const { text: chargeKey } = ChargeKey.of({ ...key, periodStart: begun.start, windowStart: from });
      windows.push({ chargeKey, period: uptoEnd, segment, full, transferredToSuccessor });
      if (term.addon?.once && source.kind === 'recurring') return windows;
    }
  }
  return windows;
}

function chargedPeriod(begun: BillingPeriod, term: ScheduledTerm): ChargedPeriod {
  const { switched } = term;
  const { end } = term.term;
  const { start, full } = begun;
  const periodEnd = earliest(begun.end, end);
  const wholeEnd = begun.end > end && switched ? switched.periodEnd : periodEnd;
  const whole = { start: begun.whole.start, end: wholeEnd };
  const uptoEnd = { start, end: periodEnd, full, whole };
  return { begun, uptoEnd };
}

/**
 * Extends a cut term by 1 µs so that the window that begins at the cut is listed: it may have been charged in advance, and
 * is then reversed.
 */
const uncut = ({ term, cancelled, switched }: ScheduledTerm): Term =>
  cancelled || switched ? { ...term, end: plusMicros(term.end, 1n) } : term;

/** Returns the due date of an item, or one that another term sets if that is earlier. */
const earliestDue = (own: DueDate, ofOtherTerms: readonly DueDate[] = [], grace: bigint): DueDate =>
  ofOtherTerms.reduce<DueDate>((first, other) => earlierDue(first, other, grace)!, own);
