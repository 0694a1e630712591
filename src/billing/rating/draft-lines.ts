import type { PlanComponent } from '../../catalog/domain/price-content.js';
import { fromExact, isZeroMoney, money, subtract as subtractMoney } from '../../kernel/money.js';
import type { Money } from '../../kernel/money.js';
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
    const line =
      source.kind === 'usage'
        ? usageLine(item, source.component, runTerm, account, newCloses.get(chargeKey))
        : feeLine(item, runTerm, account);
    return line ? [line] : [];
  });
}

function feeLine(item: ScheduledItem, runTerm: RunTerm, account: AccountState): DraftLine | null {
  const { exact, quantity, fraction } = fixedCharge(item, runTerm);
  const base = owed(exact, item, runTerm, account);
  if (isZeroMoney(base)) return null;
  const rule = item.source.kind === 'recurring' ? 'recurring_charge' : 'prepaid_units';
  const explanation = fraction ? ({ fraction: shareText(fraction), rule } as const) : ({ rule } as const);
  return { runTerm, item, covered: item.segment, quantity, base, explanation };
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
