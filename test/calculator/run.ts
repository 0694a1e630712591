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
  /** Period shown on the line. For a window that was charged in part it is the rest. */
  readonly covered: Span;
  readonly base: bigint;
  readonly rate: string | null;
  /** Set when the line reverses a whole charge: the adjustment and the tax of the reversal. */
  readonly reversal: { readonly adjustment: bigint; readonly tax: bigint } | null;
  /** Set when the difference is negative: the charged part that it reduces. */
  readonly reduced: Part | null;
  /** Usage only: quantity of all lines of the window, this one included. */
  readonly totalQuantity: Rational | null;
  /** Set on a line with a base of 0: the correction of the charge's price adjustment. */
  readonly correction?: bigint;
}

export interface Run {
  readonly now: Ms;
  readonly rate: string | null;
  /** Dues of all terms, in the order of the terms. */
  readonly dues: readonly Due[];
  readonly events: readonly UsageEvent[];
  readonly history: Pick<History, 'metrics' | 'currency'>;
}

/** Selects the dues up to now, the latest one of every window. */
export function dueBy({ now, dues }: Run): Due[] {
  const latest = new Map<string, Due>();
  for (const due of dues) {
    if (due.at > now) continue;
    latest.delete(due.key);
    latest.set(due.key, due);
  }
  return [...latest.values()];
}

/** Orders lines by term start, position in the plan (add-ons last), name, plan, filters and period; never by id. */
function byTermAndPlace(a: Draft, b: Draft): number {
  const inOrder = (one: string, other: string) => (one < other ? -1 : Number(one > other));
  const [one, other] = [a.due.term, b.due.term];
  return (
    one.start - other.start ||
    Number(one.addon !== null) - Number(other.addon !== null) ||
    chargeRank(a.due) - chargeRank(b.due) ||
    inOrder(nameOf(a.due), nameOf(b.due)) ||
    inOrder(one.addon?.name ?? '', other.addon?.name ?? '') ||
    inOrder(one.plan, other.plan) ||
    inOrder(filtersOf(one), filtersOf(other)) ||
    a.covered.start - b.covered.start ||
    a.covered.end - b.covered.end ||
    Number(b.base - a.base) ||
    one.ownStart - other.ownStart
  );
}

const filtersOf = ({ filters }: Due['term']): string =>
  filters.map(({ property_name: name, value }) => `${name} ${value}`).join();

/** Ranks fees first, then components, each with its prepaid units before its usage. */
const chargeRank = ({ source }: Due): number =>
  source.kind === 'fee' ? source.index : 1_000 + 2 * source.index + Number(source.kind === 'usage');

export const draftsOf = (run: Run, account: Account): Draft[] =>
  inLineOrder(dueBy(run).flatMap((due) => windowDrafts(due, run, account)));

/** Orders lines as an invoice shows them. Lines of one window stay together. */
export function inLineOrder(drafts: readonly Draft[]): Draft[] {
  const windows: [Draft, ...Draft[]][] = [];
  for (const draft of drafts) {
    const last = windows.at(-1);
    if (last?.[0].due === draft.due) last.push(draft);
    else windows.push([draft]);
  }
  return windows.sort(([a], [b]) => byTermAndPlace(a, b)).flat();
}

function windowDrafts(due: Due, run: Run, account: Account): Draft[] {
  if (due.source.kind === 'fee') return feeDrafts(due, run, account);
  if (due.source.kind === 'units') return unitsDrafts(due, run, account);
  return due.transferred ? movedDrafts(due, account) : usageDrafts(due, run, account);
}

const minor = (exact: Rational, { history }: Run): bigint =>
  rounded(times(exact, rational(10n ** BigInt(history.currency.decimals))));

export const nameOf = ({ source }: Due): string =>
  source.kind === 'fee'
    ? source.charge.name
    : `${source.component.metric}${source.kind === 'units' ? ' (prepaid)' : ''}`;

/** Reverses a charge of the wrong amount completely and charges the right amount. */
function feeDrafts(due: Due, run: Run, account: Account): Draft[] {
  const charged = account.charged.get(due.key);
  const before = charged?.parts.filter(({ base }) => base !== 0n) ?? [];
  if (before.length > 0 && !due.settles && !charged!.isVoided) return [];
  if (before.length === 0 && isEmpty(due.segment) && !isChargedEmpty(due.term)) return [];
  const { exact, quantity } = feeCost(due, run.history.currency.decimals);
  const base = minor(exact, run);
  if (base === sum(before.map((part) => part.base))) return [];
  const common = { due, name: nameOf(due), quantity, reduced: null, totalQuantity: null };
  const { segment, full } = due;
  const rate = charged ? charged.parts.at(-1)!.rate : run.rate;
  const kept: Draft[] = base === 0n ? [] : [{ ...common, covered: segment, base, rate, reversal: null }];
  return [
    ...kept,
    ...before.map((part): Draft => ({
      ...common,
      covered: { start: segment.start, end: full.end },
      base: -part.base,
      rate: part.rate,
      reversal: { adjustment: -part.adjustment, tax: -part.tax },
    })),
  ];
}

function unitsDrafts(due: Due, run: Run, account: Account): Draft[] {
  const charged = account.baseOf(due.key);
  const { segment, full, date } = due;
  const isVoided = account.charged.get(due.key)?.isVoided ?? false;
  if (charged === 0n ? isEmpty(segment) : !due.settles && !isVoided) return [];
  const { exact, quantity } = unitsCost(due, run.history.currency.decimals);
  const base = minor(exact, run) - charged;
  if (base === 0n) return [];
  // A change of units covers the time after it.
  const rest = date < segment.end ? { start: date, end: segment.end } : { ...segment, end: full.end };
  const covered = charged === 0n ? segment : rest;
  return differences(
    { due, name: nameOf(due), quantity, covered, totalQuantity: null },
    base,
    run.rate,
    account,
  );
}

/** Reverses what was invoiced of usage that a switch moved: the next plan rates it. */
function movedDrafts(due: Due, account: Account): Draft[] {
  const charged = account.charged.get(due.key);
  return (charged?.parts ?? [])
    .filter(({ base }) => base !== 0n)
    .reverse()
    .map((part, index): Draft => ({
      due,
      name: nameOf(due),
      quantity: index === 0 ? charged!.quantity : ZERO,
      covered: { start: due.segment.start, end: charged!.upTo! },
      base: -part.base,
      rate: part.rate,
      reversal: { adjustment: -part.adjustment, tax: -part.tax },
      reduced: null,
      totalQuantity: null,
    }));
}

/** Charges the usage of a window so far, less what was charged before. */
function usageDrafts(due: Due, run: Run, account: Account): Draft[] {
  if (due.source.kind !== 'usage') return [];
  const { segment, key, term } = due;
  const before = account.counted.get(key);
  const isFirst = !before || before.upTo < segment.end;
  const charged = account.charged.get(key);
  const isVoided = charged?.isVoided ?? false;
  // A running window is counted again only when it is invoiced again. Its voided part is charged as it was counted.
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
  // After intermediate invoices, the last line of a window covers the rest of it.
  const isRest = isFirst && !isVoided && charged !== undefined;
  const covered = isRest ? { start: charged.upTo!, end: segment.end } : segment;
  return differences({ due, name, quantity, covered, totalQuantity: used }, base, rate, account);
}

/**
 * Splits a difference into lines, one per tax rate. A voided amount is charged again at its rate, an additional
 * amount at the rate of the day. A negative amount reduces the newest charges first.
 */
function differences(
  common: Pick<Draft, 'due' | 'name' | 'quantity' | 'covered' | 'totalQuantity'>,
  base: bigint,
  rate: string | null,
  account: Account,
): Draft[] {
  const parts = account.charged.get(common.due.key)?.parts ?? [];
  let less = sum(parts.map(({ voided }) => voided)) - base;
  const more = new Map<string | null, bigint>();
  const charge = (taxRate: string | null, minors: bigint) =>
    more.set(taxRate, (more.get(taxRate) ?? 0n) + minors);
  const reversal: Draft[] = [];
  for (const part of [...parts].reverse()) {
    const whole = part.base + part.voided;
    const reduced = less <= 0n ? 0n : less < whole ? less : whole;
    less -= reduced;
    if (part.voided > reduced) charge(part.rate, part.voided - reduced);
    if (part.voided < reduced)
      reversal.push({
        ...common,
        base: part.voided - reduced,
        rate: part.rate,
        reversal: null,
        reduced: part,
      });
  }
  if (less < 0n || more.size + reversal.length === 0) charge(rate, -less);
  const charged = [...more].map(([taxRate, minors]): Draft => ({
    ...common,
    base: minors,
    rate: taxRate,
    reversal: null,
    reduced: null,
  }));
  return [...charged, ...reversal].map((draft, index) =>
    index === 0 ? draft : { ...draft, quantity: ZERO },
  );
}

/** Formats the local dates of the first and the last instant: `2026-01-01 to 2026-01-31`. */
function datesOf({ start, end }: Span, zone: string): string {
  const dateText = (at: Ms) => new Date(localDay(at, zone) * 86_400_000).toISOString().slice(0, 10);
  const [first, last] = [dateText(start), dateText(Math.max(end - 1, start))];
  return first === last ? first : `${first} to ${last}`;
}
