import { minorOf, money, type Money } from '../../kernel/money.js';
import type { BilledCharge } from '../accounts/domain/account-charges.js';
import type { TaxedPart } from '../accounts/domain/taxed-parts.js';

/** The part of a difference that has one tax rate. */
export interface TaxRateAmount {
  readonly base: Money;
  /** Percent; null: no tax. */
  readonly taxRate: string | null;
  /** Set on a reversal: the part of the charge that it comes off. */
  readonly reversedFrom?: TaxedPart;
}

/**
 * Splits a difference to what was billed by tax rate (docs/billing.md#tax). What voided invoices had charged keeps its
 * rate; a reversal comes off what was charged last, at the rate of that; what is charged for the first time has the rate
 * of the day. Returns at least one part, charges before reversals.
 */
export function splitByTaxRate(
  base: Money,
  billed: BilledCharge | undefined,
  rate: string | null,
  currency: string,
): readonly TaxRateAmount[] {
  if (!billed) return [{ base, taxRate: rate }];
  const { parts } = billed;
  let excess = parts.reduce((sum, { voided }) => sum + voided, -minorOf(base));
  const charged = new Map<string | null, bigint>();
  const charge = (taxRate: string | null, minor: bigint) =>
    charged.set(taxRate, (charged.get(taxRate) ?? 0n) + minor);
  const reversed: TaxRateAmount[] = [];
  for (const part of [...parts].reverse()) {
    const { taxRate, voided } = part;
    const back = smaller(part.base + voided, larger(excess, 0n));
    excess -= back;
    if (voided > back) charge(taxRate, voided - back);
    if (voided < back) reversed.push({ base: money(voided - back, currency), taxRate, reversedFrom: part });
  }
  if (excess < 0n || charged.size + reversed.length === 0) charge(rate, -excess);
  return [
    ...[...charged].map(([taxRate, minor]) => ({ base: money(minor, currency), taxRate })),
    ...reversed,
  ];
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
