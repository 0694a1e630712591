import { sum, type Account } from './account.js';
import type { Due } from './dues.js';
import { adjustmentSince } from './carried-over.js';
import { cumulativeCost } from './costs.js';
import { ZERO, decimal, rational, rounded, times } from './rational.js';
import { dueBy, nameOf, type Draft, type Run } from './run.js';

/** Returns the amount of a fixed adjustment or of an override that a billing period still lacks. */
export function remainingAdjustment(
  prefix: string,
  drafts: readonly Pick<Draft, 'base' | 'reversal'>[],
  { term, period }: Draft['due'],
  run: Run,
  account: Account,
): bigint {
  const { price_adjustment_type: type, price_adjustment_amount: amount } = term.prices.price_adjustment!;
  const { decimals } = run.history.currency;
  const since = period.start === term.start ? adjustmentSince(term) : period.start;
  const exact = cumulativeCost(decimal(amount), since, period, period.full, term, decimals);
  const inPart = rounded(times(exact, rational(10n ** BigInt(decimals))));
  const before = account.totalsOf(prefix);
  const total = before.base + sum(drafts.map(({ base }) => base));
  const given = before.adjustment + sum(drafts.map(({ reversal }) => reversal?.adjustment ?? 0n));
  const least = total > 0n ? -total : 0n;
  const wanted = type === 'price_override' ? inPart - total : inPart > least ? inPart : least;
  return wanted - given;
}

/**
 * Returns lines that correct the adjustment of a period whose end was set, where no charge of the period changes
 * (docs/billing.md#price-adjustments).
 */
export function correctionsOf(drafts: readonly Draft[], run: Run, account: Account): Draft[] {
  const settled = dueBy(run).filter(
    ({ key, endSettledAt, term }) =>
      endSettledAt <= run.now &&
      account.charged.has(key) &&
      term.prices.price_adjustment !== null &&
      term.prices.price_adjustment.price_adjustment_type !== 'percentage',
  );
  const prefixes = new Set(settled.map(prefixOf));
  return [...prefixes].flatMap((prefix) =>
    ofPeriod(
      prefix,
      settled.filter((due) => prefixOf(due) === prefix),
      drafts.filter(({ due }) => prefixOf(due) === prefix),
      run,
      account,
    ),
  );
}

const prefixOf = ({ term, period }: Due): string => `${term.id}/${period.start}/`;

function ofPeriod(
  prefix: string,
  dues: readonly Due[],
  drafts: readonly Draft[],
  run: Run,
  account: Account,
): Draft[] {
  if (drafts.some(({ base, reversal }) => base !== 0n && reversal === null)) return [];
  const newestFirst = [...dues].sort((a, b) => b.segment.start - a.segment.start);
  const charges = newestFirst.flatMap((due) => {
    const { parts } = account.charged.get(due.key)!;
    const back = drafts.filter((draft) => draft.due.key === due.key);
    const base = sum([...parts, ...back].map((one) => one.base));
    const adjustment = sum([
      ...parts.map((part) => part.adjustment),
      ...back.map(({ reversal }) => reversal?.adjustment ?? 0n),
    ]);
    const net = base + adjustment;
    return base > 0n ? [{ due, net: net > 0n ? net : 0n }] : [];
  });
  let left = charges.length === 0 ? 0n : remainingAdjustment(prefix, drafts, dues[0]!, run, account);
  return charges.flatMap(({ due, net }, n): Draft[] => {
    const isWhole = left >= 0n || n === charges.length - 1 || net + left >= 0n;
    const correction = isWhole ? left : -net;
    left -= correction;
    if (correction === 0n) return [];
    const newest = account.charged.get(due.key)!.parts.at(-1)!;
    return [
      {
        due,
        name: nameOf(due),
        quantity: ZERO,
        covered: due.segment,
        base: 0n,
        rate: newest.rate,
        reversal: null,
        reduced: correction < 0n ? newest : null,
        totalQuantity: null,
        correction,
      },
    ];
  });
}
