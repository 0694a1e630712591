import type { PlanComponent } from '../../pricing/price-content.js';
import {
  fromExact,
  isZeroMoney,
  minorOf,
  money,
  negate,
  subtract as subtractMoney,
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
import { chargedOf, periodCountOf, type BilledCharge } from '../accounts/domain/account-charges.js';
import type { PeriodCount, InvoiceLine, ClosedUsagePeriod } from '../accounts/domain/event-data.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { TaxedPart } from '../accounts/domain/taxed-parts.js';
import { splitByTaxRate } from './by-tax-rate.js';
import { isChargedWithoutLength } from './charged-without-length.js';
import { fixedCharge, usageCharge } from './charges.js';
import type { UnitsHeld } from '../../pricing/prepaid-units.js';
import type { RunTerm } from './run.js';
import type { ScheduledItem } from './schedule.js';
import { prorationFactor, factorText } from '../../pricing/proration.js';

/** A line before price adjustments and tax. */
export interface DraftLine {
  readonly runTerm: RunTerm;
  readonly item: ScheduledItem;
  /** Period of this line: the rest of a window that was invoiced in part. */
  readonly covered: Period;
  readonly quantity: Quantity;
  /** Amount that should be charged by now − amount charged, rounded once. */
  readonly base: Money;
  readonly explanation: InvoiceLine['explanation'];
  /** Whether it bills usage that came after its window was closed. */
  readonly isLate?: boolean;
  /** Percent; null: no tax. What was charged before keeps its rate; all else is taxed as of today. */
  readonly taxRate: string | null;
  /** For a negative difference: the part of the charge it comes off. */
  readonly reversedFrom?: TaxedPart;
  /** For a reversal: the adjustments and the tax of the reversed line, negated. */
  readonly reverses?: { readonly adjustments: Money; readonly tax: Money };
}

/**
 * The lines of a term's due items: desired − billed, per chargeKey. What is charged already makes none; a usage window
 * that is counted by this run makes one also at 0 (docs/billing.md#usage-lines), a fee of 0 does not.
 */
export function draftLines(
  runTerm: RunTerm,
  due: readonly ScheduledItem[],
  account: AccountState,
  newCloses: ReadonlyMap<string, ClosedUsagePeriod>,
  taxRate: string | null,
): DraftLine[] {
  const billing = { runTerm, account, taxRate };
  return due.flatMap((item) => {
    const { source, chargeKey } = item;
    if (source.kind === 'recurring') return feeLines(item, billing);
    if (source.kind === 'prepaid') return unitsLines(item, billing);
    if (item.movedOn) return movedLines(item, billing);
    return usageLines(item, source.component, billing, newCloses.get(chargeKey));
  });
}

interface Billing {
  readonly runTerm: RunTerm;
  readonly account: AccountState;
  /** As of today. */
  readonly taxRate: string | null;
}

/** A fee that was charged and should be another is given back whole, and what is kept is charged. */
function feeLines(item: ScheduledItem, { runTerm, account, taxRate }: Billing): DraftLine[] {
  const { currency } = runTerm.term.basis;
  const billed = account.billed.get(item.chargeKey);
  const before = billed && billed.base !== 0n ? billed : undefined;
  const isVoided = billed !== undefined && billed.voided !== null;
  const isOwed = !isEmpty(item.segment) || isChargedWithoutLength(runTerm);
  if (!isVoided && (before ? !item.remeasured : !isOwed)) return [];
  const { exact, quantity, fraction } = fixedCharge(item, runTerm);
  const base = fromExact(exact, currency);
  if (before && minorOf(base) === before.base) return [];
  const rule = 'recurring_charge';
  const explanation = fraction ? ({ fraction: factorText(fraction), rule } as const) : ({ rule } as const);
  // A changed rate never taxes anew what was billed with another (docs/billing.md#tax).
  const rate = billed ? billed.taxRate : taxRate;
  const lines: DraftLine[] = [];
  if (!isZeroMoney(base)) {
    lines.push({ runTerm, item, covered: item.segment, quantity, base, explanation, taxRate: rate });
  }
  if (before) {
    const back = (minor: bigint) => negate(money(minor, currency));
    lines.push({
      ...{ runTerm, item, quantity, explanation: { rule }, taxRate: rate },
      covered: { start: item.segment.start, end: item.full.end },
      base: back(before.base),
      reverses: { adjustments: back(before.adjustments), tax: back(before.tax) },
    });
  }
  return lines;
}

/** Prepaid units: what the window costs with those it has had − what of it was charged, as one difference. */
function unitsLines(item: ScheduledItem, { runTerm, account, taxRate }: Billing): DraftLine[] {
  const { segment, full, dueAt, chargeKey } = item;
  const billed = account.billed.get(chargeKey);
  const isCharged = billed !== undefined && billed.base !== 0n;
  const isVoided = billed !== undefined && billed.voided !== null;
  if (isCharged ? !item.remeasured && !isVoided : isEmpty(segment)) return [];
  const { exact, quantity, fraction, held } = fixedCharge(item, runTerm);
  const base = owed(exact, runTerm, billed);
  if (isZeroMoney(base)) return [];
  // A change is of the time from then on; what settles a cut window gives back of all of it.
  const isChange = dueAt < segment.end;
  const rest = isChange ? { start: dueAt, end: segment.end } : { start: segment.start, end: full.end };
  const line = {
    ...{ runTerm, item, quantity },
    covered: isCharged ? rest : segment,
    explanation: {
      ...(fraction ? { fraction: factorText(fraction) } : {}),
      ...(held ? { held: held.map((part) => heldText(part, item, runTerm)) } : {}),
      rule: 'prepaid_units' as const,
    },
  };
  return differences(line, base, billed, taxRate);
}

/** A difference as a line, or as one for each tax rate that it has: the first shows what it is the quantity of. */
const differences = (
  { runTerm, item, isLate, covered, quantity, explanation }: Omit<DraftLine, 'base' | 'taxRate'>,
  difference: Money,
  billed: BilledCharge | undefined,
  rate: string | null,
): DraftLine[] =>
  splitByTaxRate(difference, billed, rate, runTerm.term.basis.currency).map(
    ({ base, taxRate, reversedFrom }, place) => ({
      runTerm,
      item,
      isLate,
      covered,
      quantity: place === 0 ? quantity : ZERO,
      base,
      explanation,
      taxRate,
      reversedFrom,
    }),
  );

const heldText = ({ units, during }: UnitsHeld, { full }: ScheduledItem, runTerm: RunTerm) => ({
  fraction: factorText(prorationFactor(during, full, runTerm)),
  from: during.start,
  units: exactDecimalText(units),
});

/**
 * Usage that goes on in the successor is rated there, from its window's start: what was invoiced of it is given back, the
 * newest first. What was given back of an invoice that was voided since is charged again, with the tax it was given
 * back with.
 */
function movedLines(item: ScheduledItem, { runTerm, account }: Billing): DraftLine[] {
  const billed = account.billed.get(item.chargeKey);
  if (!billed?.close) return [];
  const { close } = billed;
  const { currency } = runTerm.term.basis;
  const back = (minor: bigint) => negate(money(minor, currency));
  return billed.parts
    .filter(({ base }) => base !== 0n)
    .reverse()
    .map(({ base, adjustments, tax, taxRate }, place) => ({
      ...{ runTerm, item, covered: close.window, quantity: place === 0 ? chargedOf(billed) : ZERO },
      ...{ base: back(base), taxRate, explanation: { rule: 'usage' } },
      reverses: { adjustments: back(adjustments), tax: back(tax) },
    }));
}

function usageLines(
  item: ScheduledItem,
  component: PlanComponent,
  { runTerm, account, taxRate }: Billing,
  newClose: ClosedUsagePeriod | undefined,
): DraftLine[] {
  const close = newClose ? periodCountOf(newClose) : account.closes.get(item.chargeKey)!;
  const billed = account.billed.get(item.chargeKey);
  const voided = billed?.voided ?? null;
  const newest = billed?.close ?? null;
  if (newest?.closeId === close.closeId && voided === null) return [];
  const used = readExactText(close.quantity);
  const { exact, quantity, covered } = usageCharge(component, used, item.segment, runTerm);
  const base = owed(exact, runTerm, billed);
  const isLate = close.isRecount && voided === null;
  if ((!newClose || isLate) && isZeroMoney(base) && voided === null) return [];
  // Usage that voided invoices had counted is charged with the rest, for the whole window.
  const before = voided === null ? newest : null;
  const line = {
    runTerm,
    item,
    isLate,
    covered: before && !isLate ? { start: before.window.end, end: close.window.end } : close.window,
    quantity: billed ? subtract(quantity, chargedOf(billed)) : quantity,
    explanation: usageExplanation(close, before, covered),
  };
  // Late usage takes the rate that its window was billed with.
  return differences(line, base, billed, isLate && billed ? billed.taxRate : taxRate);
}

/** The keys stand in canonical order, which is how they are hashed. */
const usageExplanation = (
  { closeId }: PeriodCount,
  before: PeriodCount | null,
  covered: Quantity | undefined,
): InvoiceLine['explanation'] => {
  if (covered) {
    return {
      ...{ closeId, covered: exactText(covered) },
      ...(before && { previousCloseId: before.closeId }),
      rule: 'usage',
    };
  }
  return before ? { closeId, previousCloseId: before.closeId, rule: 'usage' } : { closeId, rule: 'usage' };
};

/** Pieces of one window sum to its price, because each is the rounded total so far less what was charged before. */
function owed(exact: Quantity, { term }: RunTerm, billed: BilledCharge | undefined): Money {
  const { currency } = term.basis;
  const desired = fromExact(exact, currency);
  return billed ? subtractMoney(desired, money(billed.base, currency)) : desired;
}
