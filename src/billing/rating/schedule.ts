import { MINUTE, earliest, plusMicros } from '../../kernel/instant.js';
import type { Instant } from '../../kernel/instant.js';
import { isEmpty } from '../../kernel/period.js';
import type { Period } from '../../kernel/period.js';
import type { Term } from '../../subscription/domain/events.js';
import { chargeKeyPrefix } from '../accounts/domain/account-state.js';
import {
  billingPeriodsOf,
  invoicingDateOf,
  invoicingDatesOf,
  resetWindowsOf,
} from '../../pricing/billing-periods.js';
import type { BillingPeriod } from '../../pricing/billing-periods.js';
import { isChargedWithoutLength } from './charged-without-length.js';
import { inAdvance, intervalsOf, sourceKey, sourcesOf } from '../../pricing/charge-sources.js';
import type { ChargeSource } from '../../pricing/charge-sources.js';
import { usageSince } from '../../pricing/carried-over-proration.js';
import { latestChange } from '../../pricing/prepaid-units.js';
import type { RunTerm } from './run.js';

/** One thing that falls due: a charge or a component over a window of a term. */
export interface ScheduledItem {
  /** Term, billing period, charge or component, window: desired minus billed is kept per key. */
  readonly chargeKey: string;
  readonly source: ChargeSource;
  readonly period: BillingPeriod;
  /** The part of the window that is charged: all of it, or up to an intermediate invoicing date. */
  readonly segment: Period;
  /** The full interval that the window is a part of: what a fraction is measured against. */
  readonly full: Period;
  readonly dueAt: Instant;
  /** Whether it waits for the late-event grace. */
  readonly graced: boolean;
  readonly billingType: 'in_advance' | 'in_arrears' | 'intermediate' | 'one_time';
  /**
   * False for a charge in advance while its term runs: charged once, it is measured again only at an end that was set,
   * or when its prepaid units change.
   */
  readonly remeasured: boolean;
  /** True for usage whose window continues in the successor of a switch: none of it is charged here. */
  readonly movedOn: boolean;
}

/** A billing period, and what all that is charged of it has in common: read once for all sources of a term. */
interface ChargedPeriod {
  readonly begun: BillingPeriod;
  /** As far as the term goes. */
  readonly cut: BillingPeriod;
  readonly keyPrefix: string;
}

type ScheduledWindow = Pick<ScheduledItem, 'chargeKey' | 'period' | 'segment' | 'full' | 'movedOn'>;
type Due = Pick<ScheduledItem, 'dueAt' | 'graced'>;

export interface NextDue {
  readonly at: Instant;
  readonly graced: boolean;
}

/** A term as far as its schedule depends on it. */
export type ScheduledTerm = Pick<
  RunTerm,
  | 'term'
  | 'renewal'
  | 'cut'
  | 'cancelled'
  | 'switched'
  | 'endMoved'
  | 'addon'
  | 'prepaidChanges'
  | 'content'
  | 'periodsBegunBy'
  | 'settledBy'
>;

export interface TermSchedule {
  readonly due: readonly ScheduledItem[];
  /** Null: nothing of the term falls due any more. */
  readonly next: NextDue | null;
}

/** The keys of one term or add-on and billing period begin with this: a price adjustment is given once for all of them. */
export const periodKeyPrefix = ({ term, addon }: Pick<RunTerm, 'term' | 'addon'>, period: Period): string =>
  `${chargeKeyPrefix(addon?.addonSubscriptionId ?? term.subscriptionId)}${period.start}/`;

/**
 * Lists the items of a term that are due by `asOf`, in the order of the plan and then of time, and what falls due next.
 * Of a running window that was reached by several invoicing dates only the latest stands: it contains the others.
 */
export function scheduleOf(term: ScheduledTerm, asOf: Instant, graceMinutes: number): TermSchedule {
  const grace = BigInt(graceMinutes) * MINUTE;
  const gracedAsOf = plusMicros(asOf, -grace);
  const { periodsBegunBy: lastBegin, settledBy } = term;
  const begun = billingPeriodsOf(uncut(term), asOf);
  const periods = begun
    .filter(({ start }) => lastBegin === undefined || start <= lastBegin)
    .map((period) => chargedPeriod(period, term));
  const due = new Map<string, ScheduledItem>();
  let next: NextDue | null = null;
  for (const source of sourcesOf(term.content)) {
    for (const item of itemsOf(source, term, periods, asOf)) {
      const { at, graced } = earlier(item, settledBy, grace);
      if (at > (graced ? gracedAsOf : asOf)) {
        next = sooner(next, { at, graced }, grace);
        continue;
      }
      due.delete(item.chargeKey);
      due.set(item.chargeKey, item);
    }
  }
  return { due: [...due.values()], next };
}

/** Everything one source charges in these periods, in the order it falls due, up to the first after `until`. */
const itemsOf = (
  source: ChargeSource,
  term: ScheduledTerm,
  periods: readonly ChargedPeriod[],
  until: Instant,
): readonly ScheduledItem[] =>
  inAdvance(source) ? inAdvanceItems(source, term, periods) : inArrearsItems(source, term, periods, until);

function inAdvanceItems(
  source: ChargeSource,
  term: ScheduledTerm,
  periods: readonly ChargedPeriod[],
): ScheduledItem[] {
  const { start, basis } = term.term;
  const windows = windowsOf(source, term, periods);
  const items: ScheduledItem[] = [];
  const put = (window: ScheduledWindow, due: Due, type: 'in_advance' | 'in_arrears', remeasured = true) =>
    items.push(itemOf(source, window, due, feeType(term, type), remeasured));
  if (term.addon?.feesAtEnd) {
    for (const window of windows) put(window, settlementOf(term, source), 'in_arrears');
    return items;
  }
  const end = term.cancelled || term.switched || term.endMoved ? settlementOf(term, source) : undefined;
  for (const window of windows) {
    const { segment } = window;
    if (isEmpty(segment)) continue;
    const from = segment.start;
    // Charges of a switch can wait for the period's end, if nothing settles the term before.
    const dueAt = from === start ? (basis.continues?.billedAt ?? from) : from;
    const graced = term.renewal || dueAt > start;
    if (!end || dueAt < end.dueAt) put(window, { dueAt, graced }, 'in_advance', false);
    const changedAt = unitsChangedAt(source, segment, term);
    if (changedAt !== undefined) put(window, { dueAt: changedAt, graced: false }, 'in_advance');
  }
  if (end) for (const window of windows) put(window, end, 'in_advance');
  return items;
}

/**
 * From when on a window owes for other prepaid units: any run bills that, and no instant is due for it alone. What a set
 * end leaves of its window is settled there, together with fees.
 */
function unitsChangedAt(source: ChargeSource, segment: Period, term: ScheduledTerm): Instant | undefined {
  if (source.kind !== 'prepaid') return undefined;
  const change = latestChange(source.component, term, segment);
  const waits = segment.end === term.term.end && (term.cut !== null || change?.settledAtEnd);
  return waits ? undefined : change?.effectiveAt;
}

function inArrearsItems(
  source: ChargeSource,
  term: ScheduledTerm,
  periods: readonly ChargedPeriod[],
  until: Instant,
): ScheduledItem[] {
  const { end } = term.term;
  const { invoicingInterval } = intervalsOf(source);
  const dates = invoicingDatesOf(term.term, invoicingInterval, until);
  const items: ScheduledItem[] = [];
  for (const window of windowsOf(source, term, periods)) {
    const { segment, period, movedOn } = window;
    if (isEmpty(segment) && (source.kind === 'usage' || !isChargedWithoutLength(term))) continue;
    if (source.kind === 'usage' && !movedOn) {
      for (const dueAt of dates) {
        if (dueAt <= segment.start || dueAt >= segment.end) continue;
        const soFar = { start: segment.start, end: dueAt };
        items.push(itemOf(source, { ...window, segment: soFar }, { dueAt, graced: true }, 'intermediate'));
      }
    }
    const dueAt = invoicingInterval ? invoicingDateOf(segment, invoicingInterval, term.term) : period.end;
    const due = dueAt < end && !movedOn ? { dueAt, graced: true } : settlementOf(term, source);
    if (source.kind === 'usage' && dueAt === end && term.cancelled?.usage === 'bill_none') continue;
    const billingType = source.kind === 'usage' ? 'in_arrears' : feeType(term, 'in_arrears');
    items.push(itemOf(source, window, due, billingType));
  }
  return items;
}

const itemOf = (
  source: ChargeSource,
  { chargeKey, period, segment, full, movedOn }: ScheduledWindow,
  { dueAt, graced }: Due,
  billingType: ScheduledItem['billingType'],
  remeasured = true,
): ScheduledItem => ({
  chargeKey,
  source,
  period,
  segment,
  full,
  dueAt,
  graced,
  billingType,
  remeasured,
  movedOn,
});

const feeType = (
  { addon }: ScheduledTerm,
  type: 'in_advance' | 'in_arrears',
): ScheduledItem['billingType'] => (addon?.once ? 'one_time' : type);

/** When what is due at the end of a term is billed. A cut has no grace; its settlement can wait for the former end. */
function settlementOf({ term, cut, cancelled, switched }: ScheduledTerm, source: ChargeSource): Due {
  if (switched?.usage === 'keep_separate' && source.kind === 'usage') {
    return { dueAt: switched.periodEnd, graced: true };
  }
  const settled = cancelled ?? switched;
  if (!settled) return { dueAt: term.end, graced: cut === null };
  return { dueAt: settled.billedAt, graced: settled.invoicing === 'add_to_next_invoice' };
}

/** The windows of these periods; of a term that was cut also the one that this left without a length. */
function windowsOf(
  source: ChargeSource,
  term: ScheduledTerm,
  periods: readonly ChargedPeriod[],
): ScheduledWindow[] {
  const windows: ScheduledWindow[] = [];
  const { resetInterval } = intervalsOf(source);
  const { start, end } = term.term;
  const { switched } = term;
  // A plan that was switched away from at once counts nothing: the window stays with, or continues from, the plan before.
  if (source.kind === 'usage' && switched && isEmpty(term.term)) return windows;
  const key = `${sourceKey(source)}/`;
  for (const { begun, cut, keyPrefix } of periods) {
    for (const { window, full } of resetWindowsOf(begun, resetInterval, term.term)) {
      const usage = source.kind === 'usage' ? source.component.metricId : undefined;
      const from = usage && window.start === start ? usageSince(usage, term.term) : window.start;
      const segment = { start: from, end: earliest(window.end, end) };
      const movedOn = window.end > end && switched?.moved.some((metricId) => metricId === usage) === true;
      windows.push({ chargeKey: keyPrefix + key + from, period: cut, segment, full, movedOn });
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
  const cut = { start, end: periodEnd, full, whole };
  return { begun, cut, keyPrefix: periodKeyPrefix(term, begun) };
}

/** A window that begins at the very instant of a cut may have been charged in advance: it is included, to be reversed. */
const uncut = ({ term, cancelled, switched }: ScheduledTerm): Term =>
  cancelled || switched ? { ...term, end: plusMicros(term.end, 1n) } : term;

/** When an item is billed: at the latest by what settles all of its term. */
function earlier({ dueAt, graced }: ScheduledItem, settledBy: Instant | undefined, grace: bigint): NextDue {
  const own = { at: dueAt, graced };
  return settledBy === undefined ? own : sooner(own, { at: settledBy, graced: false }, grace)!;
}

/** Returns the earlier of two due items, the grace included. */
export function sooner(a: NextDue | null, b: NextDue | null, grace: bigint): NextDue | null {
  if (a === null || b === null) return a ?? b;
  const effective = ({ at, graced }: NextDue) => (graced ? plusMicros(at, grace) : at);
  return effective(a) <= effective(b) ? a : b;
}
