import { minorOf, money, type Money } from '../../kernel/money.js';
import type { BilledCharge } from '../accounts/domain/account-charges.js';
import type { TaxedPart } from '../accounts/domain/taxed-parts.js';

/** So much of a difference as has one tax rate. */
export interface TaxRateAmount {
  readonly base: Money;
  /** Percent; null: no tax. */
  readonly taxRate: string | null;
  /** For a reversal: the part it comes off. */
  readonly reversedFrom?: TaxedPart;
}

/**
 * A difference to what was billed, by tax rate (docs/billing.md#tax): what voided invoices had charged comes again with
 * the rate it had; what is given back comes off what was charged last, with the rate of that; what is charged for the
 * first time has the rate of the day. One share at least; those that charge are first.
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
  const givenBack: TaxRateAmount[] = [];
  for (const part of [...parts].reverse()) {
    const { taxRate, voided } = part;
    const back = smaller(part.base + voided, larger(excess, 0n));
    excess -= back;
    if (voided > back) charge(taxRate, voided - back);
    if (voided < back) givenBack.push({ base: money(voided - back, currency), taxRate, reversedFrom: part });
  }
  if (excess < 0n || charged.size + givenBack.length === 0) charge(rate, -excess);
  return [
    ...[...charged].map(([taxRate, minor]) => ({ base: money(minor, currency), taxRate })),
    ...givenBack,
  ];
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
