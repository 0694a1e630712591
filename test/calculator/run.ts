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

/** What is due by now, of every window the latest, in the order of lines. */
function dueBy({ now, dues }: Run): Due[] {
  const latest = new Map<string, Due>();
  for (const due of dues) {
    if (due.at > now) continue;
    latest.delete(due.key);
    latest.set(due.key, due);
  }
  return [...latest.values()].sort(inLineOrder);
}

/** By term start, then by place in the plan, then by name; the windows of one source as they come. */
function inLineOrder(a: Due, b: Due): number {
  const inOrder = (one: string, other: string) => (one < other ? -1 : Number(one > other));
  return (
    a.term.start - b.term.start ||
    placeOf(a) - placeOf(b) ||
    inOrder(nameOf(a), nameOf(b)) ||
    inOrder(a.term.subscription, b.term.subscription)
  );
}

/** Fees, then the components, of each its prepaid units first. */
const placeOf = ({ source }: Due): number =>
  source.kind === 'fee' ? source.place : 1_000 + 2 * source.place + Number(source.kind === 'usage');

export function draftsOf(run: Run, account: Account): Draft[] {
  return dueBy(run).flatMap((due) => {
    if (due.source.kind === 'fee') return feeDrafts(due, run, account);
    if (due.source.kind === 'units') return unitsDrafts(due, run, account);
    return due.movedOn ? movedDrafts(due, account) : usageDrafts(due, run, account);
  });
}

const minor = (exact: Rational, { history }: Run): bigint =>
  rounded(times(exact, rational(10n ** BigInt(history.currency.decimals))));

const nameOf = ({ source }: Due): string =>
  source.kind === 'fee'
    ? source.charge.name
    : `${source.component.metric}${source.kind === 'units' ? ' (prepaid)' : ''}`;

/** What was charged and should be another amount is given back whole, and what is kept is charged. */
function feeDrafts(due: Due, run: Run, account: Account): Draft[] {
  const before = account.charged.get(due.key)?.parts.filter(({ base }) => base !== 0n) ?? [];
  if (before.length > 0 && !due.settles) return [];
  if (before.length === 0 && isEmpty(due.segment) && !isChargedEmpty(due.term)) return [];
  const { exact, quantity } = feeCost(due, run.history.currency.decimals);
  const base = minor(exact, run);
  if (base === sum(before.map((part) => part.base))) return [];
  const like = { due, name: nameOf(due), quantity, off: null, saidInAll: null };
  const rate = before[0] ? before[0].rate : run.rate;
  const kept: Draft[] = base === 0n ? [] : [{ ...like, base, rate, back: null }];
  return [
    ...kept,
    ...before.map((part): Draft => ({
      ...like,
      base: -part.base,
      rate: part.rate,
      back: { adjustment: -part.adjustment, tax: -part.tax },
    })),
  ];
}

function unitsDrafts(due: Due, run: Run, account: Account): Draft[] {
  const charged = account.baseOf(due.key);
  if (charged === 0n ? due.segment.start >= due.segment.end : !due.settles) return [];
  const { exact, quantity } = unitsCost(due);
  const base = minor(exact, run) - charged;
  return base === 0n
    ? []
    : differences({ due, name: nameOf(due), quantity, saidInAll: null }, base, run.rate, account);
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
      base: -part.base,
      rate: part.rate,
      back: { adjustment: -part.adjustment, tax: -part.tax },
      off: null,
      saidInAll: ZERO,
    }));
}

/** The rating of all that was used so far, less what was charged of the window. */
function usageDrafts(due: Due, run: Run, account: Account): Draft[] {
  if (due.source.kind !== 'usage') return [];
  const { segment, key, term } = due;
  const before = account.counted.get(key);
  const isFirst = !before || before.upTo < segment.end;
  // A running window is counted again when it is invoiced again.
  if (!isFirst && due.type === 'intermediate') return [];
  const used = usedIn(due, run.history.metrics[due.source.component.metric]!, run.events);
  if (!isFirst && compare(used, before.quantity) === 0) return [];
  account.counted.set(key, { upTo: segment.end, quantity: used });
  const charged = account.charged.get(key);
  const base = minor(usageCost(due, used).exact, run) - account.baseOf(key);
  if (!isFirst && base === 0n) return [];
  const name = isFirst ? nameOf(due) : `${nameOf(due)} (late usage, ${datesOf(segment, term.zone)})`;
  const quantity = minus(used, charged?.quantity ?? ZERO);
  const rate = isFirst || !charged ? run.rate : charged.parts.at(-1)!.rate;
  return differences({ due, name, quantity, saidInAll: used }, base, rate, account);
}

/** What is charged more has the rate of the day; what comes back comes off what was charged last, a line per rate. */
function differences(
  like: Pick<Draft, 'due' | 'name' | 'quantity' | 'saidInAll'>,
  base: bigint,
  rate: string | null,
  account: Account,
): Draft[] {
  const drafts: Draft[] = [];
  let left = base < 0n ? -base : 0n;
  for (const part of [...(account.charged.get(like.due.key)?.parts ?? [])].reverse()) {
    const back = part.base < left ? part.base : left;
    if (back <= 0n) continue;
    left -= back;
    drafts.push({ ...like, base: -back, rate: part.rate, back: null, off: part });
  }
  if (drafts.length === 0 || left > 0n)
    drafts.unshift({ ...like, base: base < 0n ? -left : base, rate, back: null, off: null });
  return drafts.map((draft, place) => (place === 0 ? draft : { ...draft, quantity: ZERO }));
}

/** The local dates of the first and the last instant. */
function datesOf({ start, end }: Span, zone: string): string {
  const dateText = (at: Ms) => new Date(localDay(at, zone) * 86_400_000).toISOString().slice(0, 10);
  const [first, last] = [dateText(start), dateText(Math.max(end - 1, start))];
  return first === last ? first : `${first} to ${last}`;
}
