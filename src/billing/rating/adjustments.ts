import type { PriceAdjustment } from '../../pricing/price-content.js';
import {
  addMoney,
  allocate,
  fromExact,
  isNegativeMoney,
  isZeroMoney,
  maxMoney,
  minorOf,
  money,
  negateMoney,
  percentOf,
  subtractMoney,
  sumMoney,
  toQuantity,
  zero,
  type Money,
} from '../../kernel/money.js';
import { multiply, quantity, ratio, type Quantity } from '../../kernel/quantity.js';
import { groupBy } from '../../kernel/iteration.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';
import { proratedPart, type BillingPeriod } from '../../pricing/proration.js';
import type { Instant } from '../../kernel/instant.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import { ChargeKey } from '../accounts/domain/account-charges.js';
import { adjustmentSince } from '../../pricing/carried-over-proration.js';
import type { DraftLine } from './draft-lines.js';
import type { RunTerm } from './run.js';
import type { ScheduledItem } from './schedule.js';

/** The adjustment of a billing period. */
export interface PeriodAdjustment {
  readonly period: BillingPeriod;
  /** Start of the span over which the adjustment is rounded cumulatively; it ends with the period. */
  readonly since: Instant;
  /** The figure of the adjustment, prorated. */
  readonly amount: Money;
  /** Sum of the bases of the charges. */
  readonly base: Money;
  /** Adjustments that the charges have. */
  readonly adjusted: Money;
  /** The adjustment that the charges should have, minus the one that they have. */
  readonly left: Money;
}

/** A line with its index among the lines of its run. */
interface AdjustedLine {
  readonly index: number;
  readonly line: DraftLine;
}

/** The adjustment that is left for a billing period, allocated to the lines of a run. */
interface PeriodAllocation {
  readonly period: PeriodAdjustment;
  readonly members: readonly AdjustedLine[];
  /** Adjustments that the lines reverse with the charges that they reduce, in the order of `members`. */
  readonly carried: readonly Money[];
  /** Amount left without the reversed adjustments. */
  readonly rest: Money;
  /** Adjustment of each line: its share of the rest and what it reverses. */
  readonly shares: readonly Money[];
}

/**
 * Computes the price adjustment of each line, in the order of the lines (docs/billing.md#price-adjustments). `percentage`
 * applies to the rounded base of each line. `fixed` and `price_override` apply once per subscription and billing period,
 * on its first invoice, in proportion to the bases.
 */
export function priceAdjustments(
  lines: readonly DraftLine[],
  account: AccountState,
  currency: string,
): Money[] {
  const amounts = lines.map(
    ({ reverses, correction }) => reverses?.adjustments ?? correction ?? zero(currency),
  );
  for (const group of adjustedGroups(lines)) {
    const { adjustment, members } = group;
    if (members.every(({ line }) => isZeroMoney(line.base))) continue;
    const rate = quantity(adjustment.amount);
    const shares =
      adjustment.type === 'percentage'
        ? members.map(({ line }) => percentage(line, rate, currency))
        : allocationOf(group, account, currency).shares;
    members.forEach(({ index }, at) => (amounts[index] = shares[at]!));
  }
  return amounts;
}

/** Returns how the adjustments that are given once per billing period were allocated, by period. */
export const periodAllocations = (
  lines: readonly DraftLine[],
  account: AccountState,
  currency: string,
): PeriodAllocation[] =>
  adjustedGroups(lines)
    .filter(({ adjustment }) => adjustment.type !== 'percentage')
    .map((group) => allocationOf(group, account, currency));

/** Lines of a billing period with a price adjustment. */
interface AdjustedGroup {
  readonly adjustment: PriceAdjustment;
  readonly prefix: string;
  readonly all: readonly AdjustedLine[];
  /** The lines that do not reverse a charge as a whole; never empty. */
  readonly members: readonly AdjustedLine[];
}

function adjustedGroups(lines: readonly DraftLine[]): AdjustedGroup[] {
  if (lines.every(({ runTerm }) => runTerm.content.priceAdjustment === null)) return [];
  return [...byBillingPeriod(lines)].flatMap(([prefix, all]) => {
    const members = all.filter(({ line }) => !line.reverses);
    const adjustment = members[0]?.line.runTerm.content.priceAdjustment;
    return adjustment ? [{ adjustment, prefix, all, members }] : [];
  });
}

function allocationOf(
  { adjustment, prefix, all, members }: AdjustedGroup,
  account: AccountState,
  currency: string,
): PeriodAllocation {
  const ofPeriod = all.map(({ line }) => line);
  const charges = chargesOfPeriod(prefix, ofPeriod, account, currency).values();
  const lines = members.map(({ line }) => line);
  const [first] = lines;
  const period = leftInPeriod(adjustment, charges, first!.item, first!.runTerm);
  if (lines.some(({ correction }) => correction)) {
    const shares = lines.map(({ correction }) => correction ?? zero(currency));
    return { period, members, carried: lines.map(() => zero(currency)), rest: period.left, shares };
  }
  const carried = lines.map(reversedAdjustment);
  const rest = carried.reduce(subtractMoney, period.left);
  const bases = lines.map(({ base }) => base);
  const shares = allocateByBase(rest, bases, currency).map((share, index) =>
    addMoney(share, carried[index]!),
  );
  return { period, members, carried, rest, shares };
}

/** A reversed adjustment is what was adjusted − the adjustment of what is kept (docs/billing.md#reversals). */
function percentage({ base, reversedFrom }: DraftLine, rate: Quantity, currency: string): Money {
  if (!reversedFrom) return percentOf(base, rate);
  const kept = addMoney(money(reversedFrom.base, currency), base);
  return subtractMoney(percentOf(kept, rate), money(reversedFrom.adjustments, currency));
}

const byBillingPeriod = (lines: readonly DraftLine[]): Map<string, AdjustedLine[]> =>
  groupBy(
    lines.map((line, index) => ({ index, line })),
    ({ line }) => ChargeKey.parse(line.item.chargeKey).periodPrefix,
  );

/** Sums of a charge of a billing period, with the lines of a run so far. */
export interface PeriodCharge {
  readonly base: Money;
  readonly adjustments: Money;
}

/** Returns the charges of a billing period by charge key: what earlier invoices charged, and what these lines add or reverse. */
export function chargesOfPeriod(
  prefix: string,
  lines: readonly DraftLine[],
  account: AccountState,
  currency: string,
): Map<string, PeriodCharge> {
  const charges = new Map<string, PeriodCharge>();
  for (const [key, { base, adjustments }] of account.billed) {
    if (!key.startsWith(prefix)) continue;
    charges.set(key, { base: money(base, currency), adjustments: money(adjustments, currency) });
  }
  for (const { item, base, reverses } of lines) {
    const before = charges.get(item.chargeKey) ?? { base: zero(currency), adjustments: zero(currency) };
    charges.set(item.chargeKey, {
      base: addMoney(before.base, base),
      adjustments: reverses ? addMoney(before.adjustments, reverses.adjustments) : before.adjustments,
    });
  }
  return charges;
}

/**
 * Computes the adjustment that is left for a billing period. In a partial period it is prorated
 * (docs/billing.md#price-adjustments).
 */
export function leftInPeriod(
  adjustment: PriceAdjustment,
  charges: Iterable<PeriodCharge>,
  { period }: ScheduledItem,
  runTerm: RunTerm,
): PeriodAdjustment {
  const { term, content } = runTerm;
  const { currency } = term.basis;
  const all = [...charges];
  const total = sumMoney(
    currency,
    all.map(({ base }) => base),
  );
  const adjusted = sumMoney(
    currency,
    all.map(({ adjustments }) => adjustments),
  );
  const since = period.start === term.start ? adjustmentSince(content, term) : period.start;
  const amount = fromExact(
    proratedPart(quantity(adjustment.amount), since, period, period.full, runTerm),
    currency,
  );
  const wanted =
    adjustment.type === 'price_override'
      ? subtractMoney(amount, total)
      : // A fixed reduction takes the period's total down to 0 and not below.
        maxMoney(amount, negateMoney(maxMoney(total, zero(currency))));
  return { period, since, amount, base: total, adjusted, left: subtractMoney(wanted, adjusted) };
}

/** Returns the part of the charge's adjustment that a partial reversal reverses. */
function reversedAdjustment({ base, reversedFrom, runTerm }: DraftLine): Money {
  const { policy, currency } = runTerm.term.basis;
  const carries = pricingPolicyOf(policy).term.reductionCarriesAdjustment;
  if (!carries || !reversedFrom || reversedFrom.base <= 0n) return zero(currency);
  const adjusted = money(reversedFrom.adjustments, currency);
  const kept = ratio(reversedFrom.base + minorOf(base), reversedFrom.base);
  return subtractMoney(fromExact(multiply(toQuantity(adjusted), kept), currency), adjusted);
}

/** Allocates in proportion to the bases; reversing lines take part only where there are no others. */
function allocateByBase(total: Money, bases: readonly Money[], currency: string): Money[] {
  const charging = bases.some((base) => minorOf(base) > 0n);
  return allocate(
    total,
    bases.map((base) => (!isNegativeMoney(base) ? base : charging ? zero(currency) : negateMoney(base))),
  );
}
