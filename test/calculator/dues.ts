import { isEmpty, type Ms, type Span } from './calendar.js';
import type { Charge, Component } from './history.js';
import {
  invoicingDateOf,
  invoicingDates,
  invoicingOf,
  periodsOf,
  periodsWithEmpty,
  resetOf,
  windowsOf,
  type Period,
  type Term,
  type Window,
} from './terms.js';

export type Source =
  | { readonly kind: 'fee'; readonly charge: Charge; readonly index: number }
  | { readonly kind: 'units' | 'usage'; readonly component: Component; readonly index: number };

/** A charge for a window of a term, with the time when it falls due. */
export interface Due {
  /** Identifies the window in the account. */
  readonly key: string;
  readonly term: Term;
  readonly source: Source;
  readonly period: Period;
  /** The charged part of the window. */
  readonly segment: Span;
  readonly full: Span;
  /** Includes the grace period of charges that wait for late events. */
  readonly at: Ms;
  /** Excludes the grace period. */
  readonly date: Ms;
  readonly type: 'in_advance' | 'in_arrears' | 'intermediate' | 'one_time';
  /** True when an earlier charge of the window is computed again. */
  readonly settles: boolean;
  /** True for a change of units: any run bills it, and no run is scheduled for it. */
  readonly anyRun: boolean;
  /** Instant at which the charges of a term whose end was set are computed again; Infinity without a set end. */
  readonly endSettledAt: Ms;
  /** True for usage whose window continues on the next plan: its charges are reversed. */
  readonly transferred: boolean;
}

export const sourcesOf = ({ prices }: Term): Source[] => [
  ...prices.recurring_charges.map((charge, index): Source => ({ kind: 'fee', charge, index: index })),
  ...prices.components.flatMap((component, index): Source[] => [
    ...(component.prepaid_charge ? [{ kind: 'units' as const, component, index: index }] : []),
    { kind: 'usage', component, index: index },
  ]),
];

/** Returns all dues of a charge, ordered by window and then by time. */
export function duesOf(source: Source, term: Term, grace: Ms): Due[] {
  const charge = source.kind === 'fee' ? source.charge : source.component;
  const isInAdvance =
    source.kind === 'units' || (source.kind === 'fee' && source.charge.charge_timing === 'in_advance');
  const hasEmpty = isInAdvance || isChargedEmpty(term) || hasUsageOf(term, source);
  const periods = hasEmpty ? periodsWithEmpty(term) : periodsOf(term);
  // A plan that was switched away from at its start counts no usage.
  if (source.kind === 'usage' && term.cut?.by === 'switch' && isEmpty(term)) return [];
  const windows = periods
    .flatMap((period) => windowsOf(period, resetOf(charge), term))
    .map((window) => ({ ...window, start: usageStart(window, source, term) }));
  const own = term.addon?.isOneTime && source.kind === 'fee' ? windows.slice(0, 1) : windows;
  return own.flatMap((window) =>
    isInAdvance ? inAdvance(source, window, term, grace) : inArrears(source, window, term, grace),
  );
}

/** Tells whether a switch moved a running window of the metric to the term, which may be empty. */
const hasUsageOf = ({ carriedOver }: Term, source: Source): boolean =>
  source.kind === 'usage' && carriedOver !== null && carriedOver.usage.has(source.component.metric);

/** Returns the start of a usage window, including the part before a switch. */
const usageStart = ({ start }: Window, source: Source, term: Term): Ms =>
  source.kind === 'usage' && start === term.start
    ? (term.carriedOver?.usage.get(source.component.metric) ?? start)
    : start;

function dueOf(
  source: Source,
  window: Window,
  term: Term,
  changes: Pick<Due, 'at' | 'date' | 'type'> & Partial<Due>,
): Due {
  const { start, end, full, period } = window;
  const name = source.kind === 'fee' ? source.charge.name : source.component.metric;
  const key = `${term.id}/${period.start}/${source.kind} ${name}/${start}`;
  const type = term.addon?.isOneTime && source.kind === 'fee' ? 'one_time' : changes.type;
  return {
    key,
    term,
    source,
    period,
    segment: { start, end },
    full,
    settles: true,
    anyRun: false,
    endSettledAt: Infinity,
    transferred: false,
    ...changes,
    type,
  };
}

function inAdvance(source: Source, window: Window, term: Term, grace: Ms): Due[] {
  const settlement = settlementOf(term, source, grace);
  if (term.addon?.isBilledAtEnd) return [dueOf(source, window, term, { ...settlement, type: 'in_arrears' })];
  const { start } = window;
  const from = start === term.start ? (term.carriedOver?.billedAt ?? start) : start;
  const at = from + (term.renewal || from > term.start ? grace : 0);
  const isSettled = term.cut !== null || term.endMoved;
  const settled = isSettled ? [dueOf(source, window, term, { ...settlement, type: 'in_advance' })] : [];
  const charged =
    isSettled && settlement.at <= at
      ? []
      : [dueOf(source, window, term, { at, date: from, type: 'in_advance', settles: false })];
  return [...(isEmpty(window) ? [] : [...charged, ...unitsChanged(source, window, term)]), ...settled];
}

/**
 * Returns the due of the latest change of units in a window. When the term ends early, its settlement includes the
 * change.
 */
function unitsChanged(source: Source, window: Window, term: Term): Due[] {
  if (source.kind !== 'units') return [];
  const { metric } = source.component;
  const change = term.units.findLast(
    (one) => one.isChange && one.metric === metric && one.at >= window.start && one.at < window.end,
  );
  if (!change) return [];
  const isLeft = window.end === term.end && (term.cut !== null || change.settledAtEnd);
  return isLeft
    ? []
    : [dueOf(source, window, term, { at: change.at, date: change.at, type: 'in_advance', anyRun: true })];
}

function inArrears(source: Source, window: Window, term: Term, grace: Ms): Due[] {
  if (isEmpty(window) && (source.kind === 'usage' || !isChargedEmpty(term))) return [];
  const charge = source.kind === 'fee' ? source.charge : source.component;
  const interval = invoicingOf(charge);
  const dates = interval ? invoicingDates(term, interval) : [];
  const isMoved =
    source.kind === 'usage' &&
    term.moved.has(source.component.metric) &&
    Math.min(window.full.end, window.period.full.end) > term.end;
  const between =
    source.kind === 'usage' && !isMoved
      ? dates.filter((date) => date > window.start && date < window.end)
      : [];
  const running = between.map((date) =>
    dueOf(source, { ...window, end: date }, term, { at: date + grace, date, type: 'intermediate' }),
  );
  const own = interval ? invoicingDateOf(window, interval, term) : window.period.full.end;
  // `bill_none` drops open usage when the term is cancelled.
  if (source.kind === 'usage' && own > term.end && term.cut?.usage === 'bill_none') return running;
  const date = Math.min(own, term.end);
  const due = date < term.end && !isMoved ? { at: date + grace, date } : settlementOf(term, source, grace);
  return [...running, dueOf(source, window, term, { ...due, type: 'in_arrears', transferred: isMoved })];
}

/** Tells whether a term of zero length is charged: `charge_full` charges the whole fee of it. */
export const isChargedEmpty = (term: Term): boolean =>
  term.cut?.by === 'cancel' && term.cut.flatFee === 'charge_full' && term.end === term.start;

/** Returns when the set end of a term is settled, at the latest `settledBy`; Infinity for a term that ends as agreed. */
export function settlementOfSetEnd(term: Term, grace: Ms, settledBy: Ms): Ms {
  if (!term.cut && !term.endMoved) return Infinity;
  return Math.min(settlementOf(term, null, grace).at, settledBy);
}

/** Returns when charges due at the end of a term are billed. A term that is cut has no grace period. */
function settlementOf({ end, cut }: Term, source: Source | null, grace: Ms): Pick<Due, 'at' | 'date'> {
  if (!cut) return { at: end + grace, date: end };
  if (cut.by === 'switch' && cut.usage === 'keep_separate' && source?.kind === 'usage')
    return { at: cut.periodEnd + grace, date: cut.periodEnd };
  return { at: cut.billedAt + (cut.graced ? grace : 0), date: cut.billedAt };
}
