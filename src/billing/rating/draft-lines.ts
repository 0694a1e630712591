import type { PlanComponent } from '../../pricing/price-content.js';
import {
  fromExact,
  isZeroMoney,
  minorOf,
  money,
  negateMoney,
  subtractMoney,
  type Money,
} from '../../kernel/money.js';
import { isEmpty, type Period } from '../../kernel/period.js';
import {
  ZERO,
  exactDecimalText,
  exactText,
  readExactText,
  subtract,
  type Quantity,
} from '../../kernel/quantity.js';
import {
  type BilledCharge,
  chargedQuantity,
  countOfPeriod,
  type TaxedPart,
} from '../accounts/domain/account-charges.js';
import type { PeriodCount, InvoiceLine, ClosedUsagePeriod } from '../accounts/domain/event-data.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import { splitByTaxRate } from './tax.js';
import { isChargedWithoutLength } from './run-terms.js';
import { fixedCharge, usageCharge } from './charges.js';
import { factorText, prorationFactor, type UnitSpan } from '../../pricing/proration.js';
import type { RunTerm } from './run.js';
import type { ScheduledItem } from './schedule.js';

/** A line before price adjustments and tax. */
export interface DraftLine {
  readonly runTerm: RunTerm;
  readonly item: ScheduledItem;
  /** The span that the line covers: the rest of a window that was invoiced in part. */
  readonly covered: Period;
  readonly quantity: Quantity;
  /** The charge due by now, rounded once, minus what earlier invoices charged. */
  readonly base: Money;
  readonly explanation: InvoiceLine['explanation'];
  /** True if the line bills usage that arrived after its window was closed. */
  readonly isLate?: boolean;
  /** Percent; null: no tax. A charge that was billed before keeps its rate; a new one has the rate of the day. */
  readonly taxRate: string | null;
  /** Set on a negative difference: the part of the charge that it reduces. */
  readonly reversedFrom?: TaxedPart;
  /** Set on a reversing line: the adjustments and the tax that it reverses, negated. */
  readonly reverses?: { readonly adjustments: Money; readonly tax: Money };
  /** Set on a line with base 0: the correction of the price adjustment of its charge. */
  readonly correction?: Money;
}

/**
 * Drafts the lines of a term's due items. Per charge key they sum to the charge due by now minus what earlier invoices
 * charged. An item without a difference has no line, except a usage window that this run counts
 * (docs/billing.md#usage-lines).
 */
export function draftLines(
  runTerm: RunTerm,
  due: readonly ScheduledItem[],
  account: AccountState,
  newPeriods: ReadonlyMap<string, ClosedUsagePeriod>,
  taxRate: string | null,
): DraftLine[] {
  const billing = { runTerm, account, taxRate };
  return due.flatMap((item) => {
    const { source, chargeKey } = item;
    if (source.kind === 'recurring') return recurringChargeLines(item, billing);
    if (source.kind === 'prepaid') return prepaidLines(item, billing);
    if (item.transferredToSuccessor) return transferredLines(item, billing);
    return usageLines(item, source.component, billing, newPeriods.get(chargeKey));
  });
}

interface Billing {
  readonly runTerm: RunTerm;
  readonly account: AccountState;
  /** Tax rate of the day. */
  readonly taxRate: string | null;
}

/** Reverses a changed fee as a whole, and charges the part that is kept. */
function recurringChargeLines(item: ScheduledItem, { runTerm, account, taxRate }: Billing): DraftLine[] {
  const { currency } = runTerm.term.basis;
  const billed = account.billed.get(item.chargeKey);
  const before = billed && billed.base !== 0n ? billed : undefined;
  const isVoided = billed !== undefined && billed.voidedQuantity !== null;
  const isOwed = !isEmpty(item.segment) || isChargedWithoutLength(runTerm);
  if (!isVoided && (before ? !item.recomputed : !isOwed)) return [];
  const { exact, quantity, fraction } = fixedCharge(item, runTerm);
  const base = fromExact(exact, currency);
  if (before && minorOf(base) === before.base) return [];
  const rule = 'recurring_charge';
  const explanation = fraction ? ({ fraction: factorText(fraction), rule } as const) : ({ rule } as const);
  // A changed rate does not apply to what was billed with another (docs/billing.md#tax).
  const rate = billed ? billed.taxRate : taxRate;
  const lines: DraftLine[] = [];
  if (!isZeroMoney(base)) {
    lines.push({ runTerm, item, covered: item.segment, quantity, base, explanation, taxRate: rate });
  }
  if (before) {
    const back = (minor: bigint) => negateMoney(money(minor, currency));
    lines.push({
      runTerm,
      item,
      quantity,
      explanation: { rule },
      taxRate: rate,
      covered: { start: item.segment.start, end: item.full.end },
      base: back(before.base),
      reverses: { adjustments: back(before.adjustments), tax: back(before.tax) },
    });
  }
  return lines;
}

/**
 * Bills prepaid units as one difference: the cost of the window with the units it had − the amount charged for it.
 */
function prepaidLines(item: ScheduledItem, { runTerm, account, taxRate }: Billing): DraftLine[] {
  const { segment, full, due, chargeKey } = item;
  const billed = account.billed.get(chargeKey);
  const isCharged = billed !== undefined && billed.base !== 0n;
  const isVoided = billed !== undefined && billed.voidedQuantity !== null;
  if (isCharged ? !item.recomputed && !isVoided : isEmpty(segment)) return [];
  const { exact, quantity, fraction, held } = fixedCharge(item, runTerm);
  const base = owed(exact, runTerm, billed);
  if (isZeroMoney(base)) return [];
  // A change of units covers the rest of the window. A settlement at the end covers the whole window.
  const isChange = due.at < segment.end;
  const rest = isChange ? { start: due.at, end: segment.end } : { start: segment.start, end: full.end };
  const line = {
    runTerm,
    item,
    quantity,
    covered: isCharged ? rest : segment,
    explanation: {
      ...(fraction ? { fraction: factorText(fraction) } : {}),
      ...(held ? { held: held.map((part) => heldText(part, item, runTerm)) } : {}),
      rule: 'prepaid_units' as const,
    },
  };
  return differences(line, base, billed, taxRate);
}

/** Makes a line of a difference, or one per tax rate: the first line shows the quantity. */
const differences = (
  { runTerm, item, isLate, covered, quantity, explanation }: Omit<DraftLine, 'base' | 'taxRate'>,
  difference: Money,
  billed: BilledCharge | undefined,
  rate: string | null,
): DraftLine[] =>
  splitByTaxRate(difference, billed, rate, runTerm.term.basis.currency).map(
    ({ base, taxRate, reversedFrom }, index) => ({
      runTerm,
      item,
      isLate,
      covered,
      quantity: index === 0 ? quantity : ZERO,
      base,
      explanation,
      taxRate,
      reversedFrom,
    }),
  );

const heldText = ({ units, during }: UnitSpan, { full }: ScheduledItem, runTerm: RunTerm) => ({
  fraction: factorText(prorationFactor(during, full, runTerm)),
  from: during.start,
  units: exactDecimalText(units),
});

/**
 * Reverses usage that a switch transferred: the successor rates it from its window's start. Reverses the newest part
 * first. A reversal of an invoice that was voided since is charged again, with its tax.
 */
function transferredLines(item: ScheduledItem, { runTerm, account }: Billing): DraftLine[] {
  const billed = account.billed.get(item.chargeKey);
  if (!billed?.count) return [];
  const { count } = billed;
  const { currency } = runTerm.term.basis;
  const back = (minor: bigint) => negateMoney(money(minor, currency));
  return billed.parts
    .filter(({ base }) => base !== 0n)
    .reverse()
    .map(({ base, adjustments, tax, taxRate }, index) => ({
      runTerm,
      item,
      covered: count.window,
      quantity: index === 0 ? chargedQuantity(billed) : ZERO,
      base: back(base),
      taxRate,
      explanation: { rule: 'usage' },
      reverses: { adjustments: back(adjustments), tax: back(tax) },
    }));
}

function usageLines(
  item: ScheduledItem,
  component: PlanComponent,
  { runTerm, account, taxRate }: Billing,
  newPeriod: ClosedUsagePeriod | undefined,
): DraftLine[] {
  const count = newPeriod ? countOfPeriod(newPeriod) : account.counts.get(item.chargeKey)!;
  const billed = account.billed.get(item.chargeKey);
  const voided = billed?.voidedQuantity ?? null;
  const newest = billed?.count ?? null;
  if (newest?.closeId === count.closeId && voided === null) return [];
  const used = readExactText(count.quantity);
  const { exact, quantity, covered } = usageCharge(component, used, item, runTerm);
  const base = owed(exact, runTerm, billed);
  const isLate = count.isRecount && voided === null;
  if ((!newPeriod || isLate) && isZeroMoney(base) && voided === null) return [];
  // Usage of voided invoices is charged with the rest, for the whole window.
  const before = voided === null ? newest : null;
  const line = {
    runTerm,
    item,
    isLate,
    covered: before && !isLate ? { start: before.window.end, end: count.window.end } : count.window,
    quantity: billed ? subtract(quantity, chargedQuantity(billed)) : quantity,
    explanation: usageExplanation(count, before, covered),
  };
  // Late usage has the tax rate that its window was billed with.
  return differences(line, base, billed, isLate && billed ? billed.taxRate : taxRate);
}

/** The keys are in canonical (sorted) order because the object is hashed. */
const usageExplanation = (
  { closeId }: PeriodCount,
  before: PeriodCount | null,
  covered: Quantity | undefined,
): InvoiceLine['explanation'] => {
  if (covered) {
    return {
      closeId,
      covered: exactText(covered),
      ...(before && { previousCloseId: before.closeId }),
      rule: 'usage',
    };
  }
  return before ? { closeId, previousCloseId: before.closeId, rule: 'usage' } : { closeId, rule: 'usage' };
};

/** Rounds cumulatively: a part is the rounded total so far minus what was charged, so the parts sum to the price. */
function owed(exact: Quantity, { term }: RunTerm, billed: BilledCharge | undefined): Money {
  const { currency } = term.basis;
  const desired = fromExact(exact, currency);
  return billed ? subtractMoney(desired, money(billed.base, currency)) : desired;
}
