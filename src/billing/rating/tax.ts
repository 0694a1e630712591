import {
  addMoney,
  allocate,
  isNegativeMoney,
  maxMoney,
  minMoney,
  minorOf,
  money,
  type Money,
  negateMoney,
  percentOf,
  subtractMoney,
  sumMoney,
  zero,
} from '../../kernel/money.js';
import type { BilledCharge, TaxedPart } from '../accounts/domain/account-charges.js';
import { isZero, quantity } from '../../kernel/quantity.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';

/** The part of a difference that has one tax rate. */
export interface TaxRateAmount {
  readonly base: Money;
  /** Percent; null: no tax. */
  readonly taxRate: string | null;
  /** Set on a reversal: the part of the charge that it reduces. */
  readonly reversedFrom?: TaxedPart;
}

/**
 * Splits a difference by tax rate (docs/billing.md#tax). Voided amounts that are charged again and reversals keep the rate
 * they had, reversals the newest charge first; new amounts have the rate of the day. Returns at least one part, charges
 * before reversals.
 */
export function splitByTaxRate(
  base: Money,
  billed: BilledCharge | undefined,
  rate: string | null,
  currency: string,
): readonly TaxRateAmount[] {
  if (!billed) return [{ base, taxRate: rate }];
  const { parts } = billed;
  let excess = parts.reduce((sum, { voidedBase }) => sum + voidedBase, -minorOf(base));
  const charged = new Map<string | null, bigint>();
  const charge = (taxRate: string | null, minor: bigint) =>
    charged.set(taxRate, (charged.get(taxRate) ?? 0n) + minor);
  const reversed: TaxRateAmount[] = [];
  for (const part of [...parts].reverse()) {
    const { taxRate, voidedBase } = part;
    const back = smaller(part.base + voidedBase, larger(excess, 0n));
    excess -= back;
    if (voidedBase > back) charge(taxRate, voidedBase - back);
    if (voidedBase < back)
      reversed.push({ base: money(voidedBase - back, currency), taxRate, reversedFrom: part });
  }
  if (excess < 0n || charged.size + reversed.length === 0) charge(rate, -excess);
  return [
    ...[...charged].map(([taxRate, minor]) => ({ base: money(minor, currency), taxRate })),
    ...reversed,
  ];
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Tax rate in percent: the customer's if set ("0": exempt), else the organization's, else null: no tax. */
export const taxRateOf = (
  customer: { readonly taxRate: string | null },
  settings: { readonly taxRate: string | null },
): string | null => customer.taxRate ?? settings.taxRate;

/** Computes the tax of each line at its own rate: a charge that is billed again keeps the rate it was billed with. */
export function taxesByRate(
  adjusted: readonly Money[],
  rates: readonly (string | null)[],
  currency: string,
): Money[] {
  const byRate = new Map(
    [...new Set(rates)].map((rate) => {
      const taxed = adjusted.map((amount, index) => (rates[index] === rate ? amount : zero(currency)));
      return [rate, taxes(taxed, rate, currency)];
    }),
  );
  return rates.map((rate, index) => byRate.get(rate)![index]!);
}

/**
 * Computes the tax of each line: the sum of the adjusted bases × rate is rounded once and allocated by the largest
 * remainder (docs/billing.md#tax). A negative line takes no part in the sum and has a tax of its own.
 */
export function taxes(adjusted: readonly Money[], rate: string | null, currency: string): Money[] {
  const percent = rate === null ? null : quantity(rate);
  if (percent === null || isZero(percent)) return adjusted.map(() => zero(currency));
  const charged = adjusted.map((amount) => (isNegativeMoney(amount) ? zero(currency) : amount));
  const shares = allocate(percentOf(sumMoney(currency, charged), percent), charged);
  return adjusted.map((amount, index) =>
    isNegativeMoney(amount) ? addMoney(shares[index]!, percentOf(amount, percent)) : shares[index]!,
  );
}

/**
 * Computes the tax that a negative difference reverses: the tax of what is kept minus the tax of the part
 * (docs/billing.md#tax).
 * @param given negative
 */
export function reversedTax(part: TaxedPart, given: Money, currency: string, policy: string): Money {
  const charged = money(part.tax, currency);
  const kept = addMoney(money(part.base + part.adjustments, currency), given);
  const { reversalBearsNoNegativeTax, reversalBearsTaxOfItsCharge } = pricingPolicyOf(policy).invoice;
  const back = subtractMoney(charged, taxes([kept], part.taxRate, currency)[0]!);
  const most = reversalBearsTaxOfItsCharge ? minMoney(charged, back) : back;
  return negateMoney(reversalBearsNoNegativeTax ? maxMoney(zero(currency), most) : most);
}
