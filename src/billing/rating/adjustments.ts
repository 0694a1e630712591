import type { PriceAdjustment } from '../../pricing/price-content.js';
import {
  add,
  allocate,
  fromExact,
  isNegativeMoney,
  isZeroMoney,
  maxMoney,
  minorOf,
  money,
  negate,
  percentOf,
  subtract,
  sum,
  zero,
  type Money,
} from '../../kernel/money.js';
import { quantity, type Quantity } from '../../kernel/quantity.js';
import { proratedPart } from '../../pricing/proration.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import { ChargeKey } from '../accounts/domain/account-charges.js';
import { adjustmentSince } from '../../pricing/carried-over-proration.js';
import type { DraftLine } from './draft-lines.js';

/**
 * Computes the price adjustment of each line, in the order of the lines (docs/billing.md#price-adjustments). A percentage is taken of each
 * line's rounded base; `fixed` and `price_override` are given once per subscription and billing period, whichever of
 * its invoices comes first, and go to the lines in proportion to their base.
 */
export function priceAdjustments(
  lines: readonly DraftLine[],
  account: AccountState,
  currency: string,
): Money[] {
  const amounts = lines.map(({ reverses }) => reverses?.adjustments ?? zero(currency));
  for (const [prefix, all] of byBillingPeriod(lines)) {
    const members = all.filter(({ line }) => !line.reverses);
    const adjustment = members[0]?.line.runTerm.content.priceAdjustment ?? null;
    if (adjustment === null) continue;
    const bases = members.map(({ line }) => line.base);
    if (bases.every(isZeroMoney)) continue;
    const rate = quantity(adjustment.amount);
    const shares =
      adjustment.type === 'percentage'
        ? members.map(({ line }) => percentage(line, rate, currency))
        : allocateByBase(leftInPeriod(adjustment, all, prefix, account, currency), bases);
    members.forEach(({ index }, at) => (amounts[index] = shares[at]!));
  }
  return amounts;
}

/** A reversed adjustment is what was adjusted − the adjustment of what is kept (docs/billing.md#reversals). */
function percentage({ base, reversedFrom }: DraftLine, rate: Quantity, currency: string): Money {
  if (!reversedFrom) return percentOf(base, rate);
  const kept = add(money(reversedFrom.base, currency), base);
  return subtract(percentOf(kept, rate), money(reversedFrom.adjustments, currency));
}

interface Member {
  readonly index: number;
  readonly line: DraftLine;
}

function byBillingPeriod(lines: readonly DraftLine[]): Map<string, Member[]> {
  const groups = new Map<string, Member[]>();
  lines.forEach((line, index) => {
    const prefix = ChargeKey.parse(line.item.chargeKey).periodPrefix;
    const members = groups.get(prefix);
    if (members) members.push({ index, line });
    else groups.set(prefix, [{ index, line }]);
  });
  return groups;
}

/** Adjustment left for a billing period: what all its lines so far call for − what earlier invoices adjusted. */
function leftInPeriod(
  adjustment: PriceAdjustment,
  members: readonly Member[],
  prefix: string,
  account: AccountState,
  currency: string,
): Money {
  const { item, runTerm } = members[0]!.line;
  const bases = members.map(({ line }) => line.base);
  // Adjustments of earlier invoices that these lines reverse.
  let adjusted = members.reduce(
    (back, { line }) => back + minorOf(line.reverses?.adjustments ?? zero(currency)),
    0n,
  );
  let billed = 0n;
  for (const [key, charge] of account.billed) {
    if (!key.startsWith(prefix)) continue;
    adjusted += charge.adjustments;
    billed += charge.base;
  }
  const total = add(money(billed, currency), sum(currency, bases));
  const { period } = item;
  const { term, content } = runTerm;
  const since = period.start === term.start ? adjustmentSince(content, term) : period.start;
  const amount = fromExact(
    proratedPart(quantity(adjustment.amount), since, period, period.full, runTerm),
    currency,
  );
  const wanted =
    adjustment.type === 'price_override'
      ? subtract(amount, total)
      : // A fixed reduction takes the period's total down to 0 and not below.
        maxMoney(amount, negate(maxMoney(total, zero(currency))));
  return subtract(wanted, money(adjusted, currency));
}

/** Allocates in proportion to the bases; reversing lines take part only where there are no others. */
function allocateByBase(total: Money, bases: readonly Money[]): Money[] {
  const charging = bases.some((base) => minorOf(base) > 0n);
  return allocate(
    total,
    bases.map((base) => (!isNegativeMoney(base) ? base : charging ? zeroLike(base) : negate(base))),
  );
}

const zeroLike = (amount: Money): Money => subtract(amount, amount);
