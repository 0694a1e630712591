import { sum, type Account, type Credit, type Entry, type Issued, type Priced } from './account.js';
import type { Ms } from './calendar.js';
import type { History, Line, Step } from './history.js';
import {
  ZERO,
  decimal,
  integer,
  minus,
  over,
  rational,
  rounded,
  distributed,
  text,
  times,
} from './rational.js';
import { inLineOrder, type Draft, type Run } from './run.js';
import { draw, dropPaidNettings, creditBack, recordNetting, type Settlement } from './settlement.js';
import { correctionsOf, remainingAdjustment } from './adjustments.js';

/**
 * Issues an invoice: base, price adjustment, tax and credits in this order (docs/billing.md#price-adjustments).
 * @returns undefined when there is nothing to invoice
 */
export function issue(own: readonly Draft[], run: Run, account: Account): Issued | undefined {
  const drafts = inLineOrder([...own, ...correctionsOf(own, run, account)]);
  if (drafts.every(({ base, correction = 0n }) => base === 0n && correction === 0n)) return undefined;
  const adjustments = adjustmentsOf(drafts, run, account);
  const taxes = taxesOf(drafts, adjustments);
  const priced = drafts.map((draft, n): Priced => {
    const [adjustment, tax] = [adjustments[n]!, taxes[n]!];
    return { draft, adjustment, tax, amount: draft.base + adjustment + tax };
  });
  const total = sum(priced.map(({ amount }) => amount));
  const due = account.invoices.map(({ costDue }) => costDue);
  const drawn: { credit: Credit; amount: bigint }[] = [];
  const settled =
    total < 0n ? creditBack(-total, priced, run.now, account) : draw(total, run.now, account, drawn);
  const number = account.invoices.length + 1;
  recordNetting(
    priced,
    account.invoices.filter(({ costDue }, n) => costDue < due[n]!),
    account,
    number,
  );
  const entries = priced.map((one) => charged(one, account));
  const lines = [...priced.map(lineOf), ...settled.map((one) => creditLine(one, drafts))];
  const amount = sum(lines.map((line) => line.amount));
  const keys = new Set(drafts.filter(({ base }) => base >= 0n).map((draft) => draft.due.key));
  for (const { key } of entries) account.settleVoided(key);
  const issued = {
    at: run.now,
    lines,
    amount,
    costDue: amount,
    isVoided: false,
    keys,
    entries,
    drawn,
    number,
  };
  account.invoices.push(issued);
  dropPaidNettings(account);
  return issued;
}

function charged({ draft, adjustment, tax }: Priced, account: Account): Entry {
  const { due, rate, base, totalQuantity } = draft;
  const before = account.charged.get(due.key)?.quantity ?? ZERO;
  const quantity = totalQuantity && minus(totalQuantity, before);
  const entry = { key: due.key, part: { rate, base, adjustment, tax }, quantity };
  account.charge(entry, totalQuantity && due.segment.end);
  return entry;
}

/** Grants a credit, with an invoice when it is sold. */
export function grantCredit(
  { amount, expires_at, amount_paid = '0' }: Extract<Step, { readonly do: 'credit' }>,
  now: Ms,
  { decimals }: History['currency'],
  account: Account,
): void {
  const minor = (adjustment: string) =>
    rounded(times(decimal(adjustment), rational(10n ** BigInt(decimals))));
  const expiresAt = expires_at === null ? null : Date.parse(expires_at);
  const paid = minor(amount_paid);
  const soldBy = paid > 0n ? sale(paid, now, account).number : null;
  account.credits.push({ effectiveAt: now, expiresAt, soldBy, isVoided: false, left: minor(amount) });
}

/** Issues the invoice of a sold credit: its price, without adjustment, tax or credit (docs/billing.md#credits). */
function sale(amount: bigint, at: Ms, account: Account): Issued {
  const line = { ...SOLD, base: amount, amount, from: isoOf(at), until: isoOf(at) };
  const nothing = { keys: new Set<string>(), entries: [], drawn: [] };
  const number = account.invoices.length + 1;
  const issued = { at, lines: [line], amount, costDue: amount, isVoided: false, ...nothing, number };
  account.invoices.push(issued);
  return issued;
}

const SOLD = {
  name: 'Credit purchase',
  plan: null,
  quantity: null,
  billing_type: 'one_time',
  plan_adjustment: 0n,
  sales_tax: 0n,
  credit: 0n,
};

const isoOf = (at: Ms): string => new Date(at).toISOString();

const lineOf = ({ draft, adjustment, tax, amount }: Priced): Line => ({
  name: draft.name,
  plan: draft.due.term.plan,
  quantity: text(draft.quantity),
  billing_type: draft.due.type,
  base: draft.base,
  plan_adjustment: adjustment,
  sales_tax: tax,
  credit: 0n,
  amount,
  from: isoOf(draft.covered.start),
  until: isoOf(draft.covered.end),
});

/** Returns a line that settles an invoice. It covers the invoice's whole period. */
const creditLine = ({ name, amount }: Settlement, drafts: readonly Draft[]): Line => {
  const none = { quantity: null, billing_type: 'one_time', base: 0n, plan_adjustment: 0n, sales_tax: 0n };
  const from = isoOf(Math.min(...drafts.map(({ covered }) => covered.start)));
  const until = isoOf(Math.max(...drafts.map(({ covered }) => covered.end)));
  return { name, plan: null, ...none, credit: amount, amount, from, until };
};

const percentOf = (amount: bigint, percent: string): bigint =>
  rounded(times(rational(amount), over(decimal(percent), integer(100))));

function adjustmentsOf(drafts: readonly Draft[], run: Run, account: Account): bigint[] {
  const amounts = drafts.map(({ reversal, correction }) => reversal?.adjustment ?? correction ?? 0n);
  const groups = new Map<string, number[]>();
  drafts.forEach(({ due }, n) => {
    const prefix = `${due.term.id}/${due.period.start}/`;
    groups.set(prefix, [...(groups.get(prefix) ?? []), n]);
  });
  for (const [prefix, all] of groups) {
    const own = all.filter((n) => !drafts[n]!.reversal);
    const adjustment = drafts[all[0]!]!.due.term.prices.price_adjustment;
    if (!adjustment || own.every((n) => drafts[n]!.base === 0n)) continue;
    const shares =
      adjustment.price_adjustment_type === 'percentage'
        ? own.map((n) => percentage(drafts[n]!, adjustment.price_adjustment_amount))
        : distributeBesideReductions(
            remainingAdjustment(
              prefix,
              all.map((n) => drafts[n]!),
              drafts[all[0]!]!.due,
              run,
              account,
            ),
            own.map((n) => drafts[n]!),
          );
    own.forEach((n, index) => (amounts[n] = shares[index]!));
  }
  return amounts;
}

/** Returns the percentage of a line. A reduction reverses the earlier adjustment less that of the rest. */
const percentage = ({ base, reduced }: Draft, percent: string): bigint =>
  reduced ? percentOf(reduced.base + base, percent) - reduced.adjustment : percentOf(base, percent);

/** Gives a reduction its part of the adjustment of the reduced charge, and distributes the rest of the amount. */
function distributeBesideReductions(amount: bigint, drafts: readonly Draft[]): bigint[] {
  const back = drafts.map(({ base, reduced }) => {
    if (!reduced || reduced.base <= 0n) return 0n;
    const rest = over(rational(reduced.base + base), rational(reduced.base));
    return rounded(times(rational(reduced.adjustment), rest)) - reduced.adjustment;
  });
  const shares = distribute(
    amount - sum(back),
    drafts.map(({ base }) => base),
  );
  return shares.map((share, n) => share + back[n]!);
}

/** Distributes an amount in proportion to the bases. Reversals take part only on invoices without charges. */
function distribute(total: bigint, bases: readonly bigint[]): bigint[] {
  const isCharging = bases.some((base) => base > 0n);
  return distributed(
    total,
    bases.map((base) => (base > 0n ? base : isCharging ? 0n : -base)),
  );
}

/**
 * Computes the tax of each line: per rate the tax of the sum, distributed by largest remainder. Reversals carry their
 * own tax.
 */
function taxesOf(drafts: readonly Draft[], adjustments: readonly bigint[]): bigint[] {
  const taxes = drafts.map(() => 0n);
  const subtotals = drafts.map(({ base }, n) => base + adjustments[n]!);
  const ownTax = drafts.map(({ reversal, reduced }, n) => {
    if (reversal) return reversal.tax;
    return reduced && subtotals[n]! < 0n ? reversedTax(reduced, subtotals[n]!) : null;
  });
  for (const rate of new Set(drafts.map((draft) => draft.rate))) {
    const members = drafts.flatMap((draft, n) => (draft.rate === rate && ownTax[n] === null ? [n] : []));
    if (rate === null || members.length === 0) continue;
    const weights = members.map((n) => (subtotals[n]! > 0n ? subtotals[n]! : 0n));
    const all = sum(weights);
    const shares = all === 0n ? weights : distributed(percentOf(all, rate), weights);
    members.forEach((n, index) => {
      taxes[n] = shares[index]! + (subtotals[n]! < 0n ? percentOf(subtotals[n]!, rate) : 0n);
    });
  }
  return taxes.map((tax, n) => ownTax[n] ?? tax);
}

/** Returns the reversed tax: that of the rest, which an adjustment can take below 0, less the tax charged before. */
function reversedTax({ base, adjustment, tax, rate }: NonNullable<Draft['reduced']>, given: bigint): bigint {
  if (rate === null) return 0n;
  return percentOf(base + adjustment + given, rate) - tax;
}
