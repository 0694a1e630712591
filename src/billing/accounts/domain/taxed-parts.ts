/** The part of a charge that has one tax rate, in minor units of the account's currency. */
export interface TaxedPart {
  /** Percent; null: no tax. */
  readonly taxRate: string | null;
  readonly base: bigint;
  /** Price adjustments, without tax. */
  readonly adjustments: bigint;
  readonly tax: bigint;
  /** Base of voided invoices, which is charged again with this rate. */
  readonly voided: bigint;
}

type Taxed = Omit<TaxedPart, 'voided'>;

/** Adds an amount. A reversal comes off the newest part of its rate; what was voided returns to its part. */
export function withTaxedAmount(parts: readonly TaxedPart[], charged: Taxed): readonly TaxedPart[] {
  const index = placeOf(parts, charged);
  if (index < 0) return [...parts, { voided: 0n, ...charged }];
  return parts.map((part, at) => (at === index ? plus(part, charged) : part));
}

function placeOf(parts: readonly TaxedPart[], { taxRate, base }: Taxed): number {
  const isOfRate = (part: TaxedPart) => part.taxRate === taxRate;
  if (base < 0n) return parts.findLastIndex(isOfRate);
  const voided = parts.findIndex((part) => isOfRate(part) && part.voided > 0n);
  if (voided >= 0) return voided;
  const newest = parts.length - 1;
  return newest >= 0 && isOfRate(parts[newest]!) ? newest : -1;
}

/** Subtracts a voided amount. @param taxRate undefined in older events: the newest part */
export function withoutVoidedAmount(
  parts: readonly TaxedPart[],
  { taxRate, base, adjustments, tax }: Omit<Taxed, 'taxRate'> & { readonly taxRate?: string | null },
): readonly TaxedPart[] {
  const isOfRate = (part: TaxedPart) => taxRate === undefined || part.taxRate === taxRate;
  const whole = parts.findLastIndex((part) => isOfRate(part) && part.base >= base);
  const index = whole >= 0 ? whole : parts.findLastIndex(isOfRate);
  const back = { base: -base, adjustments: -adjustments, tax: -tax };
  return parts.map((part, at) =>
    at === index ? { ...plus(part, back), voided: part.voided + (base > 0n ? base : 0n) } : part,
  );
}

/** Clears the marks of voided amounts, once they are charged again. */
export const withVoidedSettled = (parts: readonly TaxedPart[]): readonly TaxedPart[] =>
  parts.map((part) => ({ ...part, voided: 0n }));

const plus = (part: TaxedPart, more: Omit<Taxed, 'taxRate'>): TaxedPart => ({
  ...part,
  base: part.base + more.base,
  adjustments: part.adjustments + more.adjustments,
  tax: part.tax + more.tax,
});
