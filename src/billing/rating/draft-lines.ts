import type { PlanComponent } from '../../catalog/domain/price-content.js';
import {
  fromExact,
  isZeroMoney,
  minorOf,
  money,
  negate,
  subtract as subtractMoney,
} from '../../kernel/money.js';
import type { Money } from '../../kernel/money.js';
import { isEmpty } from '../../kernel/period.js';
import type { Period } from '../../kernel/period.js';
import { subtract } from '../../kernel/quantity.js';
import type { Quantity } from '../../kernel/quantity.js';
import type { AccountClose, AccountState } from '../domain/account-state.js';
import type { InvoiceLine, UsageClose } from '../domain/events.js';
import { countedQuantity, fixedCharge, shareText, usageCharge } from './charges.js';
import type { RunTerm } from './run.js';
import type { ScheduledItem } from './schedule.js';

/** A line before price adjustments and tax. */
export interface DraftLine {
  readonly runTerm: RunTerm;
  readonly item: ScheduledItem;
  /** What this line covers: of a window that was invoiced in part, the rest. */
  readonly covered: Period;
  readonly quantity: Quantity;
  /** What should be charged by now − what was charged: the one rounding is behind it. */
  readonly base: Money;
  readonly explanation: InvoiceLine['explanation'];
  /** Of a line that gives back what was charged: the adjustments and the tax that were charged with it, negated. */
  readonly givesBack?: { readonly adjustments: Money; readonly tax: Money };
}

/**
 * The lines of a term's due items: desired − billed, per chargeKey. What is charged already makes none; a usage window
 * that is counted by this run makes one also at 0 (billing.md section 5), a fee of 0 does not.
 */
export function draftLines(
  runTerm: RunTerm,
  due: readonly ScheduledItem[],
  account: AccountState,
  newCloses: ReadonlyMap<string, UsageClose>,
): DraftLine[] {
  return due.flatMap((item) => {
    const { source, chargeKey } = item;
    if (source.kind !== 'usage') return feeLines(item, runTerm, account);
    return usageLine(item, source.component, runTerm, account, newCloses.get(chargeKey)) ?? [];
  });
}

/** A fee that was charged and should be another is given back whole, and what is kept is charged. */
function feeLines(item: ScheduledItem, runTerm: RunTerm, account: AccountState): DraftLine[] {
  const { currency } = runTerm.term.basis;
  const billed = account.billed.get(item.chargeKey);
  const before = billed && billed.base !== 0n ? billed : undefined;
  if (before ? !item.remeasured : isEmpty(item.segment)) return [];
  const { exact, quantity, fraction } = fixedCharge(item, runTerm);
  const base = fromExact(exact, currency);
  if (before && minorOf(base) === before.base) return [];
  const rule = item.source.kind === 'recurring' ? 'recurring_charge' : 'prepaid_units';
  const explanation = fraction ? ({ fraction: shareText(fraction), rule } as const) : ({ rule } as const);
  const lines: DraftLine[] = [];
  if (!isZeroMoney(base)) {
    lines.push({ runTerm, item, covered: item.segment, quantity, base, explanation });
  }
  if (before) {
    const back = (minor: bigint) => negate(money(minor, currency));
    lines.push({
      ...{ runTerm, item, quantity, explanation: { rule } },
      covered: { start: item.segment.start, end: item.full.end },
      base: back(before.base),
      givesBack: { adjustments: back(before.adjustments), tax: back(before.tax) },
    });
  }
  return lines;
}

function usageLine(
  item: ScheduledItem,
  component: PlanComponent,
  runTerm: RunTerm,
  account: AccountState,
  newClose: UsageClose | undefined,
): DraftLine | null {
  const close = newClose ?? account.closes.get(item.chargeKey)!;
  const before = account.billed.get(item.chargeKey)?.close ?? null;
  if (before?.closeId === close.closeId) return null;
  const { exact, quantity } = usageCharge(component, countedQuantity(close.quantity), runTerm);
  const base = owed(exact, item, runTerm, account);
  if (!newClose && isZeroMoney(base)) return null;
  return {
    runTerm,
    item,
    covered: before ? { start: before.window.end, end: close.window.end } : close.window,
    quantity: before ? subtract(quantity, countedQuantity(before.quantity)) : quantity,
    base,
    explanation: usageExplanation(close, before),
  };
}

const usageExplanation = (close: AccountClose, before: AccountClose | null): InvoiceLine['explanation'] => ({
  closeId: close.closeId,
  ...(before ? { previousCloseId: before.closeId } : {}),
  rule: 'usage',
});

/** Pieces of one window sum to its price, because each is the rounded total so far less what was charged before. */
function owed(
  exact: Quantity,
  { chargeKey }: ScheduledItem,
  { term }: RunTerm,
  account: AccountState,
): Money {
  const { currency } = term.basis;
  const desired = fromExact(exact, currency);
  const billed = account.billed.get(chargeKey);
  return billed ? subtractMoney(desired, money(billed.base, currency)) : desired;
}
