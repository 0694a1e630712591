import { money, toStored, type StoredMoney } from '../../kernel/money.js';
import { ZERO, add, exactText, readExactText, subtract, type Quantity } from '../../kernel/quantity.js';
import type { AccountClose, CarriedCharge, ChargedAmount, InvoiceLine, UsageClose } from './event-data.js';

/** What invoices have charged under one chargeKey so far, in minor units of the account's currency. */
export interface BilledCharge {
  readonly base: bigint;
  /** Price adjustments, without tax. */
  readonly adjustments: bigint;
  readonly tax: bigint;
  /** Percent that the newest of its lines was taxed with; null: no tax. */
  readonly taxRate: string | null;
  /** The count that the newest of its lines was rated from. */
  readonly close: AccountClose | null;
  /** What voided invoices had counted under it, exact, until it is charged anew; null: nothing waits for that. */
  readonly voided: string | null;
}

type Charges = ReadonlyMap<string, BilledCharge>;
type Closes = ReadonlyMap<string, AccountClose>;

export const closeOf = (close: UsageClose): AccountClose => ({
  closeId: close.closeId,
  window: close.window,
  quantity: close.quantity,
  eventCount: close.eventCount,
  digest: close.digest,
  sealedUpTo: close.sealedUpTo,
  isRecount: close.supersedes !== null,
});

/** The sums with what an invoice charged. @param closes the counts so far, those of its run among them */
export function withLines(charges: Charges, lines: readonly InvoiceLine[], closes: Closes): Charges {
  const after = new Map(charges);
  for (const line of lines) {
    if (line.subscriptionId === null) continue;
    after.set(line.chargeKey, withLine(after.get(line.chargeKey), line, closes));
  }
  return after;
}

function withLine(before: BilledCharge | undefined, line: InvoiceLine, closes: Closes): BilledCharge {
  return {
    base: (before?.base ?? 0n) + BigInt(line.base.amount),
    adjustments: (before?.adjustments ?? 0n) + adjustedBy('plan_adjustment', line),
    tax: (before?.tax ?? 0n) + adjustedBy('sales_tax', line),
    taxRate: line.explanation.taxRate ?? null,
    close: line.explanation.closeId ? (closes.get(line.chargeKey) ?? null) : (before?.close ?? null),
    voided: null,
  };
}

export const adjustedBy = (
  type: InvoiceLine['adjustments'][number]['type'],
  { adjustments }: InvoiceLine,
): bigint => adjustments.reduce((sum, a) => (a.type === type ? sum + BigInt(a.amount.amount) : sum), 0n);

/** The sums without what a voided invoice charged: it is owed again. */
export function withoutCharged(charges: Charges, voided: readonly ChargedAmount[]): Charges {
  const after = new Map(charges);
  for (const { chargeKey, base, adjustments, tax, quantity } of voided) {
    const before = after.get(chargeKey)!;
    const counted = before.voided === null ? quantity : sumOf(before.voided, quantity);
    after.set(chargeKey, {
      ...before,
      base: before.base - BigInt(base.amount),
      adjustments: before.adjustments - BigInt(adjustments.amount),
      tax: before.tax - BigInt(tax.amount),
      voided: counted,
    });
  }
  return after;
}

/** How much of a window's usage is charged. */
export const chargedOf = (billed: BilledCharge | undefined): Quantity =>
  billed?.close ? subtract(readExactText(billed.close.quantity), readExactText(billed.voided ?? '0')) : ZERO;

const sumOf = (a: string, b: string): string => exactText(add(readExactText(a), readExactText(b)));

/** A charge as an event carries it, so that it need not be remembered. */
export function carriedCharge(chargeKey: string, charge: BilledCharge, currency: string): CarriedCharge {
  const stored = (minor: bigint): StoredMoney => toStored(money(minor, currency));
  const { base, adjustments, tax, taxRate, close, voided } = charge;
  return {
    ...{ chargeKey, taxRate, close, voided },
    ...{ base: stored(base), adjustments: stored(adjustments), tax: stored(tax) },
  };
}

export const chargeCarried = ({
  base,
  adjustments,
  tax,
  taxRate,
  close,
  voided,
}: CarriedCharge): BilledCharge => ({
  ...{ taxRate, close, voided },
  ...{ base: BigInt(base.amount), adjustments: BigInt(adjustments.amount), tax: BigInt(tax.amount) },
});
