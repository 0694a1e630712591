import { isEmpty, type Ms, type Span } from './calendar.js';
import type { Charge, Component } from './history.js';
import {
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
  | { readonly kind: 'fee'; readonly charge: Charge; readonly place: number }
  | { readonly kind: 'units' | 'usage'; readonly component: Component; readonly place: number };

/** A charge over a window of a term, where it falls due. */
export interface Due {
  /** What was charged is kept by it. */
  readonly key: string;
  readonly term: Term;
  readonly source: Source;
  readonly period: Period;
  /** What is charged of the window. */
  readonly segment: Span;
  readonly full: Span;
  /** With the grace, where it waits for late events. */
  readonly at: Ms;
  /** Without the grace. */
  readonly date: Ms;
  readonly type: 'in_advance' | 'in_arrears' | 'intermediate' | 'one_time';
  /** Whether what was charged is measured again. */
  readonly settles: boolean;
  /** A change of units: any run bills it, none is due for it. */
  readonly anyRun: boolean;
  /** Usage whose window goes on in the next plan: what was charged comes back. */
  readonly transferred: boolean;
}

export const sourcesOf = ({ prices }: Term): Source[] => [
  ...prices.recurring_charges.map((charge, place): Source => ({ kind: 'fee', charge, place })),
  ...prices.components.flatMap((component, place): Source[] => [
    ...(component.prepaid_charge ? [{ kind: 'units' as const, component, place }] : []),
    { kind: 'usage', component, place },
  ]),
];

/** All that falls due of a source, in the order of windows and then of time. */
export function duesOf(source: Source, term: Term, grace: Ms): Due[] {
  const said = source.kind === 'fee' ? source.charge : source.component;
  const ahead =
    source.kind === 'units' || (source.kind === 'fee' && source.charge.charge_timing === 'in_advance');
  const hasEmpty = ahead || isChargedEmpty(term) || hasUsageOf(term, source);
  const periods = hasEmpty ? periodsWithEmpty(term) : periodsOf(term);
  // Of a plan that was switched away from at once nothing is counted.
  if (source.kind === 'usage' && term.cut?.by === 'switch' && isEmpty(term)) return [];
  const windows = periods
    .flatMap((period) => windowsOf(period, resetOf(said), term))
    .map((window) => ({ ...window, start: usageStart(window, source, term) }));
  const own = term.addon?.once && source.kind === 'fee' ? windows.slice(0, 1) : windows;
  return own.flatMap((window) =>
    ahead ? inAdvance(source, window, term, grace) : inArrears(source, window, term, grace),
  );
}

/** Whether a switch moved a running window of the metric to the term, which may be over at once. */
const hasUsageOf = ({ before }: Term, source: Source): boolean =>
  source.kind === 'usage' && before !== null && before.usage.has(source.component.metric);

/** Where the window of a metric began that a switch moved to the term. */
const usageStart = ({ start }: Window, source: Source, term: Term): Ms =>
  source.kind === 'usage' && start === term.start
    ? (term.before?.usage.get(source.component.metric) ?? start)
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
  const type = term.addon?.once && source.kind === 'fee' ? 'one_time' : changes.type;
  return {
    key,
    term,
    source,
    period,
    segment: { start, end },
    full,
    settles: true,
    anyRun: false,
    transferred: false,
    ...changes,
    type,
  };
}

function inAdvance(source: Source, window: Window, term: Term, grace: Ms): Due[] {
  const settlement = settlementOf(term, source, grace);
  if (term.addon?.atEnd) return [dueOf(source, window, term, { ...settlement, type: 'in_arrears' })];
  const { start } = window;
  const from = start === term.start ? (term.before?.billedAt ?? start) : start;
  const at = from + (term.renewal || from > term.start ? grace : 0);
  const isSettled = term.cut !== null || term.endMoved;
  const settled = isSettled ? [dueOf(source, window, term, { ...settlement, type: 'in_advance' })] : [];
  const charged =
    isSettled && settlement.at <= at
      ? []
      : [dueOf(source, window, term, { at, date: from, type: 'in_advance', settles: false })];
  return [...(isEmpty(window) ? [] : [...charged, ...unitsChanged(source, window, term)]), ...settled];
}

/** The latest change of units within a window applies from then on; where the term is cut, that settles it. */
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
  const said = source.kind === 'fee' ? source.charge : source.component;
  const interval = invoicingOf(said);
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
  const date = interval ? (dates.find((one) => one >= window.end) ?? term.end) : window.period.end;
  // `bill_none` drops what is open when the term is cancelled.
  if (source.kind === 'usage' && date === term.end && term.cut?.usage === 'bill_none') return running;
  const due = date < term.end && !isMoved ? { at: date + grace, date } : settlementOf(term, source, grace);
  return [...running, dueOf(source, window, term, { ...due, type: 'in_arrears', transferred: isMoved })];
}

/** `charge_full` charges the whole fee also of a term that ended at the instant it began. */
export const isChargedEmpty = (term: Term): boolean =>
  term.cut?.by === 'cancel' && term.cut.flatFee === 'charge_full' && term.end === term.start;

/** When what is due at the end of a term is billed: a cut has no grace. */
function settlementOf({ end, cut }: Term, source: Source, grace: Ms): Pick<Due, 'at' | 'date'> {
  if (!cut) return { at: end + grace, date: end };
  if (cut.by === 'switch' && cut.usage === 'keep_separate' && source.kind === 'usage')
    return { at: cut.periodEnd + grace, date: cut.periodEnd };
  return { at: cut.billedAt + (cut.graced ? grace : 0), date: cut.billedAt };
}
