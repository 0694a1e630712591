import { sum, type Account, type Part } from './account.js';
import { feeCost, unitsCost, usageCost, usedIn } from './costs.js';
import { isEmpty, localDay, type Ms, type Span } from './calendar.js';
import { isChargedEmpty, type Due } from './dues.js';
import type { History } from './history.js';
import type { UsageEvent } from './metering.js';
import { ZERO, compare, minus, rational, rounded, times, type Rational } from './rational.js';

/** A line before price adjustment and tax. */
export interface Draft {
  readonly due: Due;
  readonly name: string;
  readonly quantity: Rational;
  /** What the line covers: the rest of a window that was charged in part. */
  readonly covered: Span;
  readonly base: bigint;
  readonly rate: string | null;
  /** Of what gives back a whole charge: the adjustment and the tax of that. */
  readonly back: { readonly adjustment: bigint; readonly tax: bigint } | null;
  /** Of a negative difference: what it comes off. */
  readonly off: Part | null;
  /** Of usage: what the lines of its window say in all. */
  readonly saidInAll: Rational | null;
}

export interface Run {
  readonly now: Ms;
  readonly rate: string | null;
  /** Of all terms, in their order. */
  readonly dues: readonly Due[];
  readonly events: readonly UsageEvent[];
  readonly history: Pick<History, 'metrics' | 'currency'>;
}

/** What is due by now, of every window the latest. */
function dueBy({ now, dues }: Run): Due[] {
  const latest = new Map<string, Due>();
  for (const due of dues) {
    if (due.at > now) continue;
    latest.delete(due.key);
    latest.set(due.key, due);
  }
  return [...latest.values()];
}

/** By term start, then by place in the plan with add-ons last, then by name, plan, filters and period, never by an id. */
function inLineOrder(a: Draft, b: Draft): number {
  const inOrder = (one: string, other: string) => (one < other ? -1 : Number(one > other));
  const [one, other] = [a.due.term, b.due.term];
  return (
    one.start - other.start ||
    Number(one.addon !== null) - Number(other.addon !== null) ||
    placeOf(a.due) - placeOf(b.due) ||
    inOrder(nameOf(a.due), nameOf(b.due)) ||
    inOrder(one.addon?.name ?? one.plan, other.addon?.name ?? other.plan) ||
    inOrder(filtersOf(one), filtersOf(other)) ||
    a.covered.start - b.covered.start ||
    a.covered.end - b.covered.end ||
    Number(b.base - a.base)
  );
}

const filtersOf = ({ filters }: Due['term']): string =>
  filters.map(({ property_name: name, value }) => `${name} ${value}`).join();

/** Fees, then the components, of each its prepaid units first. */
const placeOf = ({ source }: Due): number =>
  source.kind === 'fee' ? source.place : 1_000 + 2 * source.place + Number(source.kind === 'usage');

export function draftsOf(run: Run, account: Account): Draft[] {
  const windows = dueBy(run).flatMap((due): [Draft, ...Draft[]][] => {
    const [first, ...rest] = windowDrafts(due, run, account);
    return first ? [[first, ...rest]] : [];
  });
  return windows.sort(([a], [b]) => inLineOrder(a, b)).flat();
}

function windowDrafts(due: Due, run: Run, account: Account): Draft[] {
  if (due.source.kind === 'fee') return feeDrafts(due, run, account);
  if (due.source.kind === 'units') return unitsDrafts(due, run, account);
  return due.transferred ? movedDrafts(due, account) : usageDrafts(due, run, account);
}

const minor = (exact: Rational, { history }: Run): bigint =>
  rounded(times(exact, rational(10n ** BigInt(history.currency.decimals))));

const nameOf = ({ source }: Due): string =>
  source.kind === 'fee'
    ? source.charge.name
    : `${source.component.metric}${source.kind === 'units' ? ' (prepaid)' : ''}`;

/** What was charged and should be another amount is given back whole, and what is kept is charged. */
function feeDrafts(due: Due, run: Run, account: Account): Draft[] {
  const charged = account.charged.get(due.key);
  const before = charged?.parts.filter(({ base }) => base !== 0n) ?? [];
  if (before.length > 0 && !due.settles && !charged!.isVoided) return [];
  if (before.length === 0 && isEmpty(due.segment) && !isChargedEmpty(due.term)) return [];
  const { exact, quantity } = feeCost(due, run.history.currency.decimals);
  const base = minor(exact, run);
  if (base === sum(before.map((part) => part.base))) return [];
  const like = { due, name: nameOf(due), quantity, off: null, saidInAll: null };
  const { segment, full } = due;
  const rate = charged ? charged.parts.at(-1)!.rate : run.rate;
  const kept: Draft[] = base === 0n ? [] : [{ ...like, covered: segment, base, rate, back: null }];
  return [
    ...kept,
    ...before.map((part): Draft => ({
      ...like,
      covered: { start: segment.start, end: full.end },
      base: -part.base,
      rate: part.rate,
      back: { adjustment: -part.adjustment, tax: -part.tax },
    })),
  ];
}

function unitsDrafts(due: Due, run: Run, account: Account): Draft[] {
  const charged = account.baseOf(due.key);
  const { segment, full, date } = due;
  const isVoided = account.charged.get(due.key)?.isVoided ?? false;
  if (charged === 0n ? isEmpty(segment) : !due.settles && !isVoided) return [];
  const { exact, quantity } = unitsCost(due);
  const base = minor(exact, run) - charged;
  if (base === 0n) return [];
  // A change covers the time from then on.
  const rest = date < segment.end ? { start: date, end: segment.end } : { ...segment, end: full.end };
  const covered = charged === 0n ? segment : rest;
  return differences({ due, name: nameOf(due), quantity, covered, saidInAll: null }, base, run.rate, account);
}

/** Usage that goes on in the next plan is rated there: what was invoiced of it comes back. */
function movedDrafts(due: Due, account: Account): Draft[] {
  const charged = account.charged.get(due.key);
  return (charged?.parts ?? [])
    .filter(({ base }) => base !== 0n)
    .reverse()
    .map((part, place): Draft => ({
      due,
      name: nameOf(due),
      quantity: place === 0 ? charged!.quantity : ZERO,
      covered: { start: due.segment.start, end: charged!.upTo! },
      base: -part.base,
      rate: part.rate,
      back: { adjustment: -part.adjustment, tax: -part.tax },
      off: null,
      saidInAll: null,
    }));
}

/** The rating of all that was used so far, less what was charged of the window. */
function usageDrafts(due: Due, run: Run, account: Account): Draft[] {
  if (due.source.kind !== 'usage') return [];
  const { segment, key, term } = due;
  const before = account.counted.get(key);
  const isFirst = !before || before.upTo < segment.end;
  const charged = account.charged.get(key);
  const isVoided = charged?.isVoided ?? false;
  // A running window is counted again when it is invoiced again; what was voided of it is charged as it was counted.
  const isCounted = !isFirst && due.type === 'intermediate';
  if (isCounted && !isVoided) return [];
  const used = isCounted
    ? before.quantity
    : usedIn(due, run.history.metrics[due.source.component.metric]!, run.events);
  if (!isFirst && !isVoided && compare(used, before.quantity) === 0) return [];
  if (!isCounted) account.counted.set(key, { upTo: segment.end, quantity: used });
  const base = minor(usageCost(due, used).exact, run) - account.baseOf(key);
  const isLate = !isFirst && !isVoided;
  if (isLate && base === 0n) return [];
  const name = isLate ? `${nameOf(due)} (late usage, ${datesOf(segment, term.zone)})` : nameOf(due);
  const quantity = minus(used, charged?.quantity ?? ZERO);
  const rate = isLate && charged ? charged.parts.at(-1)!.rate : run.rate;
  // The last line of a window that was charged in part shows the rest.
  const isRest = isFirst && !isVoided && charged !== undefined;
  const covered = isRest ? { start: charged.upTo!, end: segment.end } : segment;
  return differences({ due, name, quantity, covered, saidInAll: used }, base, rate, account);
}

/**
 * What was voided is charged again at its rate, and what is charged more at that of the day; what comes back comes off what
 * was charged last, a line per rate.
 */
function differences(
  like: Pick<Draft, 'due' | 'name' | 'quantity' | 'covered' | 'saidInAll'>,
  base: bigint,
  rate: string | null,
  account: Account,
): Draft[] {
  const parts = account.charged.get(like.due.key)?.parts ?? [];
  let less = sum(parts.map(({ voided }) => voided)) - base;
  const more = new Map<string | null, bigint>();
  const charge = (of: string | null, minors: bigint) => more.set(of, (more.get(of) ?? 0n) + minors);
  const back: Draft[] = [];
  for (const part of [...parts].reverse()) {
    const whole = part.base + part.voided;
    const off = less <= 0n ? 0n : less < whole ? less : whole;
    less -= off;
    if (part.voided > off) charge(part.rate, part.voided - off);
    if (part.voided < off)
      back.push({ ...like, base: part.voided - off, rate: part.rate, back: null, off: part });
  }
  if (less < 0n || more.size + back.length === 0) charge(rate, -less);
  const charged = [...more].map(([of, minors]): Draft => ({
    ...like,
    base: minors,
    rate: of,
    back: null,
    off: null,
  }));
  return [...charged, ...back].map((draft, place) => (place === 0 ? draft : { ...draft, quantity: ZERO }));
}

/** The local dates of the first and the last instant. */
function datesOf({ start, end }: Span, zone: string): string {
  const dateText = (at: Ms) => new Date(localDay(at, zone) * 86_400_000).toISOString().slice(0, 10);
  const [first, last] = [dateText(start), dateText(Math.max(end - 1, start))];
  return first === last ? first : `${first} to ${last}`;
}
