import { ascending } from '../../kernel/ids.js';
import { groupBy } from '../../kernel/iteration.js';
import {
  addMoney,
  isNegativeMoney,
  isZeroMoney,
  maxMoney,
  minorOf,
  negateMoney,
  subtractMoney,
  zero,
  type Money,
} from '../../kernel/money.js';
import { ZERO } from '../../kernel/quantity.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';
import { ChargeKey } from '../accounts/domain/account-charges.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import { chargesOfPeriod, leftInPeriod, type PeriodCharge } from './adjustments.js';
import type { DraftLine } from './draft-lines.js';
import type { RunTerm } from './run.js';
import type { ScheduledItem, TermSchedule } from './schedule.js';

/**
 * Corrects a fixed adjustment or override after the term's end changed the length of the period
 * (docs/billing.md#price-adjustments), where no other line of the period does. Each correction is a line with base 0.
 */
export function adjustmentCorrections(
  runTerm: RunTerm,
  { due }: TermSchedule,
  lines: readonly DraftLine[],
  account: AccountState,
): DraftLine[] {
  const { content, term } = runTerm;
  const { priceAdjustment: adjustment } = content;
  if (adjustment === null || adjustment.type === 'percentage') return [];
  if (pricingPolicyOf(term.basis.policy).term.adjustmentNeedsLine) return [];
  const { currency } = term.basis;
  const charged = due.filter(({ chargeKey }) => account.billed.has(chargeKey));
  const byPeriod = groupBy(charged, ({ chargeKey }) => ChargeKey.parse(chargeKey).periodPrefix);
  return [...byPeriod].flatMap(([prefix, items]) => {
    const ofPeriod = lines.filter(({ item }) => item.chargeKey.startsWith(prefix));
    if (ofPeriod.some(({ base, reverses }) => !reverses && !isZeroMoney(base))) return [];
    const charges = chargesOfPeriod(prefix, ofPeriod, account, currency);
    const kept = items
      .map((item) => ({ item, ...charges.get(item.chargeKey)! }))
      .filter(({ base }) => minorOf(base) > 0n)
      .sort((a, b) => ascending(b.item.segment.start, a.item.segment.start));
    if (kept.length === 0) return [];
    const { left } = leftInPeriod(adjustment, charges.values(), items[0]!, runTerm);
    return spread(left, kept, currency)
      .map(({ item, correction }) => correctionLine(runTerm, item, correction, account))
      .reverse();
  });
}

function correctionLine(
  runTerm: RunTerm,
  item: ScheduledItem,
  correction: Money,
  account: AccountState,
): DraftLine {
  const { parts, taxRate, count } = account.billed.get(item.chargeKey)!;
  const rule = RULES[item.source.kind];
  return {
    runTerm,
    item,
    covered: item.segment,
    quantity: ZERO,
    base: zero(runTerm.term.basis.currency),
    explanation: count ? { closeId: count.closeId, rule } : { rule },
    taxRate,
    ...(isNegativeMoney(correction) && { reversedFrom: parts.at(-1)! }),
    correction,
  };
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
  currency: string,
): { readonly item: ScheduledItem; readonly correction: Money }[] {
  const corrections = [];
  let left = correction;
  for (const [index, { item, base, adjustments }] of newestFirst.entries()) {
    const isLast = index === newestFirst.length - 1;
    const net = maxMoney(addMoney(base, adjustments), zero(currency));
    const own = isNegativeMoney(left) && !isLast ? maxMoney(left, negateMoney(net)) : left;
    if (isZeroMoney(own)) continue;
    corrections.push({ item, correction: own });
    left = subtractMoney(left, own);
  }
  return corrections;
}
