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
import { ZERO, multiply, quantity, ratio, type Quantity } from '../../kernel/quantity.js';
import { ascending } from '../../kernel/ids.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';
import { proratedPart } from '../../pricing/proration.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import { ChargeKey } from '../accounts/domain/account-charges.js';
import { adjustmentSince } from '../../pricing/carried-over-proration.js';
import type { DraftLine } from './draft-lines.js';
import type { AdjustedLine, PeriodAdjustment, PeriodAllocation } from './period-allocation.js';
import type { RunTerm } from './run.js';
import type { ScheduledItem, TermSchedule } from './schedule.js';

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

const adjustedGroups = (lines: readonly DraftLine[]): AdjustedGroup[] =>
  [...byBillingPeriod(lines)].flatMap(([prefix, all]) => {
    const members = all.filter(({ line }) => !line.reverses);
    const adjustment = members[0]?.line.runTerm.content.priceAdjustment;
    return adjustment ? [{ adjustment, prefix, all, members }] : [];
  });

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
  const shares = allocateByBase(rest, bases).map((share, index) => addMoney(share, carried[index]!));
  return { period, members, carried, rest, shares };
}

/** A reversed adjustment is what was adjusted − the adjustment of what is kept (docs/billing.md#reversals). */
function percentage({ base, reversedFrom }: DraftLine, rate: Quantity, currency: string): Money {
  if (!reversedFrom) return percentOf(base, rate);
  const kept = addMoney(money(reversedFrom.base, currency), base);
  return subtractMoney(percentOf(kept, rate), money(reversedFrom.adjustments, currency));
}

function byBillingPeriod(lines: readonly DraftLine[]): Map<string, AdjustedLine[]> {
  const groups = new Map<string, AdjustedLine[]>();
  lines.forEach((line, index) => {
    const prefix = ChargeKey.parse(line.item.chargeKey).periodPrefix;
    const members = groups.get(prefix);
    if (members) members.push({ index, line });
    else groups.set(prefix, [{ index, line }]);
  });
  return groups;
}

/** Sums of a charge of a billing period, with the lines of a run so far. */
interface PeriodCharge {
  readonly base: Money;
  readonly adjustments: Money;
}

/** Returns the charges of a billing period by charge key: what earlier invoices charged, and what these lines add or reverse. */
function chargesOfPeriod(
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
function leftInPeriod(
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
function allocateByBase(total: Money, bases: readonly Money[]): Money[] {
  const charging = bases.some((base) => minorOf(base) > 0n);
  return allocate(
    total,
    bases.map((base) => (!isNegativeMoney(base) ? base : charging ? zeroLike(base) : negateMoney(base))),
  );
}

const zeroLike = (amount: Money): Money => subtractMoney(amount, amount);

/**
 * Corrects a fixed adjustment or override after the term's end changed the length of the period
 * (docs/billing.md#price-adjustments), where no other line of the period does. Each correction is a line with base 0.
 */
export function adjustmentCorrections(
  runTerm: RunTerm,
  { due, isEndDue }: TermSchedule,
  lines: readonly DraftLine[],
  account: AccountState,
): DraftLine[] {
  const { content, term } = runTerm;
  const { priceAdjustment: adjustment } = content;
  if (!isEndDue || adjustment === null || adjustment.type === 'percentage') return [];
  if (pricingPolicyOf(term.basis.policy).term.adjustmentNeedsLine) return [];
  const { currency } = term.basis;
  return [...byPeriod(due, account)].flatMap(([prefix, items]) => {
    const ofPeriod = lines.filter(({ item }) => item.chargeKey.startsWith(prefix));
    if (ofPeriod.some(({ base, reverses }) => !reverses && !isZeroMoney(base))) return [];
    const charges = chargesOfPeriod(prefix, ofPeriod, account, currency);
    const charged = items
      .map((item) => ({ item, ...charges.get(item.chargeKey)! }))
      .filter(({ base }) => minorOf(base) > 0n)
      .sort((a, b) => ascending(b.item.segment.start, a.item.segment.start));
    if (charged.length === 0) return [];
    const { left } = leftInPeriod(adjustment, charges.values(), items[0]!, runTerm);
    return spread(left, charged)
      .map(({ item, correction }) => lineOf(item, correction))
      .reverse();
  });

  function lineOf(item: ScheduledItem, correction: DraftLine['base']): DraftLine {
    const { parts, taxRate, count } = account.billed.get(item.chargeKey)!;
    const rule = RULES[item.source.kind];
    return {
      runTerm,
      item,
      covered: item.segment,
      quantity: ZERO,
      base: zero(currency),
      explanation: count ? { closeId: count.closeId, rule } : { rule },
      taxRate,
      ...(isNegativeMoney(correction) && { reversedFrom: parts.at(-1)! }),
      correction,
    };
  }
}

const RULES = { recurring: 'recurring_charge', prepaid: 'prepaid_units', usage: 'usage' } as const;

type ChargedItem = PeriodCharge & { readonly item: ScheduledItem };

/**
 * Applies the whole correction to the newest charge. A reduction moves to older charges when the newest would fall below
 * 0; the oldest takes the rest.
 */
function spread(
  correction: Money,
  newestFirst: readonly ChargedItem[],
): { readonly item: ScheduledItem; readonly correction: Money }[] {
  const corrections = [];
  let left = correction;
  for (const [index, { item, base, adjustments }] of newestFirst.entries()) {
    const isLast = index === newestFirst.length - 1;
    const net = maxMoney(addMoney(base, adjustments), subtractMoney(base, base));
    const own = isNegativeMoney(left) && !isLast ? maxMoney(left, negateMoney(net)) : left;
    if (isZeroMoney(own)) continue;
    corrections.push({ item, correction: own });
    left = subtractMoney(left, own);
  }
  return corrections;
}

/** Groups the items that were charged by the prefix of their billing period. */
function byPeriod(due: readonly ScheduledItem[], { billed }: AccountState): Map<string, ScheduledItem[]> {
  const periods = new Map<string, ScheduledItem[]>();
  for (const item of due) {
    if (!billed.has(item.chargeKey)) continue;
    const prefix = ChargeKey.parse(item.chargeKey).periodPrefix;
    const items = periods.get(prefix);
    if (items) items.push(item);
    else periods.set(prefix, [item]);
  }
  return periods;
}
