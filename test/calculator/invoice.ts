import { sum, type Account, type Issued } from './account.js';
import { piece } from './costs.js';
import type { Line } from './history.js';
import { decimal, integer, over, rational, rounded, shared, text, times } from './rational.js';
import type { Draft, Run } from './run.js';

interface Priced {
  readonly draft: Draft;
  readonly adjustment: bigint;
  readonly tax: bigint;
}

/** Base, price adjustment, tax, credits: in this order (billing.md section 8). Undefined where nothing is issued. */
export function issue(drafts: readonly Draft[], run: Run, account: Account): Issued | undefined {
  if (drafts.every(({ base }) => base === 0n)) return undefined;
  const adjustments = adjustmentsOf(drafts, run, account);
  const taxes = taxesOf(drafts, adjustments);
  const priced = drafts.map((draft, n): Priced => ({ draft, adjustment: adjustments[n]!, tax: taxes[n]! }));
  for (const { draft, adjustment, tax } of priced) {
    const { base, rate, due } = draft;
    account.charge(due.key, { rate, base, adjustment, tax }, draft.saidInAll);
  }
  const lines = priced.map(lineOf);
  const total = sum(lines.map(({ amount }) => amount));
  const settled = total < 0n ? giveBack(-total, priced, run, account) : draw(total, run, account);
  const all = [...lines, ...settled];
  const amount = sum(all.map((line) => line.amount));
  const [up, down] = [(one: Draft) => one.base >= 0n, (one: Draft) => one.base < 0n];
  const keys = (is: (one: Draft) => boolean) => new Set(drafts.filter(is).map(({ due }) => due.key));
  const number = account.invoices.length + 1;
  const issued = {
    at: run.now,
    lines: all,
    amount,
    costDue: amount,
    keys: keys(up),
    paidBy: keys(down),
    number,
  };
  account.invoices.push(issued);
  return issued;
}

const lineOf = ({ draft, adjustment, tax }: Priced): Line => ({
  name: draft.name,
  quantity: text(draft.quantity),
  billing_type: draft.due.type,
  base: draft.base,
  plan_adjustment: adjustment,
  sales_tax: tax,
  credit: 0n,
  amount: draft.base + adjustment + tax,
});

const creditLine = (name: string, amount: bigint): Line => {
  const none = { quantity: null, billing_type: 'one_time', base: 0n, plan_adjustment: 0n, sales_tax: 0n };
  return { name, ...none, credit: amount, amount };
};

const percentOf = (amount: bigint, percent: string): bigint =>
  rounded(times(rational(amount), over(decimal(percent), integer(100))));

function adjustmentsOf(drafts: readonly Draft[], run: Run, account: Account): bigint[] {
  const amounts = drafts.map(({ back }) => back?.adjustment ?? 0n);
  const groups = new Map<string, number[]>();
  drafts.forEach(({ due }, n) => {
    const prefix = `${due.term.id}/${due.period.start}/`;
    groups.set(prefix, [...(groups.get(prefix) ?? []), n]);
  });
  for (const [prefix, all] of groups) {
    const own = all.filter((n) => !drafts[n]!.back);
    const said = drafts[all[0]!]!.due.term.prices.price_adjustment;
    if (!said || own.every((n) => drafts[n]!.base === 0n)) continue;
    const shares =
      said.price_adjustment_type === 'percentage'
        ? own.map((n) => percentage(drafts[n]!, said.price_adjustment_amount))
        : shareOut(
            ofPeriod(
              prefix,
              all.map((n) => drafts[n]!),
              run,
              account,
            ),
            own.map((n) => drafts[n]!.base),
          );
    own.forEach((n, place) => (amounts[n] = shares[place]!));
  }
  return amounts;
}

/** What is given back is what was adjusted less what is of what is kept. */
const percentage = ({ base, off }: Draft, percent: string): bigint =>
  off ? percentOf(off.base + base, percent) - off.adjustment : percentOf(base, percent);

/** What is left to give of a fixed amount, or of an override, in a billing period. */
function ofPeriod(prefix: string, drafts: readonly Draft[], run: Run, account: Account): bigint {
  const { due } = drafts[0]!;
  const { term, period } = due;
  const { price_adjustment_type: type, price_adjustment_amount: amount } = term.prices.price_adjustment!;
  const { decimals } = run.history.currency;
  const same = term.before?.adjustment;
  const goesOn = period.start === term.start && same?.type === type && same.amount === amount;
  const exact = piece(
    decimal(amount),
    goesOn ? same.since : period.start,
    period,
    period.full,
    term,
    decimals,
  );
  const inPart = rounded(times(exact, rational(10n ** BigInt(decimals))));
  const before = account.under(prefix);
  const total = before.base + sum(drafts.map(({ base }) => base));
  const given = before.adjustment + sum(drafts.map(({ back }) => back?.adjustment ?? 0n));
  const least = total > 0n ? -total : 0n;
  const wanted = type === 'price_override' ? inPart - total : inPart > least ? inPart : least;
  return wanted - given;
}

/** In proportion to the bases; lines that give back take part only where there are no others. */
function shareOut(total: bigint, bases: readonly bigint[]): bigint[] {
  const isCharging = bases.some((base) => base > 0n);
  return shared(
    total,
    bases.map((base) => (base > 0n ? base : isCharging ? 0n : -base)),
  );
}

/** Per rate the tax of the sum, shared by largest remainder; what gives back carries its own. */
function taxesOf(drafts: readonly Draft[], adjustments: readonly bigint[]): bigint[] {
  const taxes = drafts.map(() => 0n);
  const subtotals = drafts.map(({ base }, n) => base + adjustments[n]!);
  const ownTax = drafts.map(({ back, off }, n) => {
    if (back) return back.tax;
    return off && subtotals[n]! < 0n ? taxOff(off, subtotals[n]!) : null;
  });
  for (const rate of new Set(drafts.map((draft) => draft.rate))) {
    const members = drafts.flatMap((draft, n) => (draft.rate === rate && ownTax[n] === null ? [n] : []));
    if (rate === null || members.length === 0) continue;
    const weights = members.map((n) => (subtotals[n]! > 0n ? subtotals[n]! : 0n));
    const all = sum(weights);
    const shares = all === 0n ? weights : shared(percentOf(all, rate), weights);
    members.forEach((n, place) => {
      taxes[n] = shares[place]! + (subtotals[n]! < 0n ? percentOf(subtotals[n]!, rate) : 0n);
    });
  }
  return taxes.map((tax, n) => ownTax[n] ?? tax);
}

/** Tax of what is kept less tax charged, never more than was charged. */
function taxOff({ base, adjustment, tax, rate }: NonNullable<Draft['off']>, given: bigint): bigint {
  if (rate === null) return 0n;
  const back = tax - percentOf(base + adjustment + given, rate);
  return -(back < 0n ? 0n : back > tax ? tax : back);
}

/** A credit that expires first, then free before paid, then the oldest. */
function draw(total: bigint, { now }: Run, account: Account): Line[] {
  const usable = account.credits
    .filter(
      ({ effectiveAt, expiresAt, left }) =>
        left > 0n && effectiveAt <= now && (expiresAt === null || expiresAt > now),
    )
    .sort((a, b) => {
      const expiry =
        (a.expiresAt ?? Infinity) === (b.expiresAt ?? Infinity)
          ? 0
          : (a.expiresAt ?? Infinity) - (b.expiresAt ?? Infinity);
      return expiry || Number(a.isPaid) - Number(b.isPaid) || a.effectiveAt - b.effectiveAt;
    });
  let left = total;
  for (const credit of usable) {
    const drawn = credit.left < left ? credit.left : left;
    credit.left -= drawn;
    left -= drawn;
  }
  return left === total ? [] : [creditLine('Applied Credit', left - total)];
}

/** What was never paid is never spendable: it comes off unpaid invoices that charged it, the rest is a credit. */
function giveBack(size: bigint, priced: readonly Priced[], { now }: Run, account: Account): Line[] {
  const lines: Line[] = [];
  let left = size;
  for (const invoice of unpaidFor(priced, account)) {
    const off = invoice.costDue < left ? invoice.costDue : left;
    if (off === 0n) continue;
    invoice.costDue -= off;
    left -= off;
    lines.push(creditLine(`Applied to #${invoice.number}`, off));
  }
  if (left === 0n) return lines;
  account.credits.push({ effectiveAt: now, expiresAt: null, isPaid: false, left });
  return [...lines, creditLine('Granted Credit', left)];
}

/** Newest first: invoices that charged what is given back, then those that charged what was given back to pay it. */
function unpaidFor(priced: readonly Priced[], account: Account): Set<Issued> {
  const given = priced.filter(({ draft, adjustment, tax }) => draft.base + adjustment + tax < 0n);
  const keys = new Set(given.map(({ draft }) => draft.due.key));
  const billed = (some: ReadonlySet<string>) =>
    account.invoices
      .filter((invoice) => invoice.costDue > 0n && [...invoice.keys].some((key) => some.has(key)))
      .reverse();
  const direct = billed(keys);
  const others = new Set<string>();
  let reached = keys;
  while (reached.size > 0) {
    const netted = account.invoices.filter(({ keys: charged }) =>
      [...charged].some((key) => reached.has(key)),
    );
    reached = new Set(
      netted.flatMap(({ paidBy }) => [...paidBy]).filter((key) => !others.has(key) && !keys.has(key)),
    );
    for (const key of reached) others.add(key);
  }
  return new Set([...direct, ...billed(others)]);
}
