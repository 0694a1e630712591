/** Part of a charge with one tax rate, in minor units of the account's currency. */
export interface TaxedPart {
  /** Percent; null: no tax. */
  readonly taxRate: string | null;
  readonly base: bigint;
  /** Price adjustments, without tax. */
  readonly adjustments: bigint;
  readonly tax: bigint;
  /** Base of voided invoices, which is charged anew with this rate. */
  readonly voided: bigint;
}

type Taxed = Omit<TaxedPart, 'voided'>;

/** The oldest first. What is given back comes off the newest of its rate; what was voided goes to where it was. */
export function withTaxed(parts: readonly TaxedPart[], charged: Taxed): readonly TaxedPart[] {
  const place = placeOf(parts, charged);
  if (place < 0) return [...parts, { voided: 0n, ...charged }];
  return parts.map((part, at) => (at === place ? plus(part, charged) : part));
}

function placeOf(parts: readonly TaxedPart[], { taxRate, base }: Taxed): number {
  const isOfRate = (part: TaxedPart) => part.taxRate === taxRate;
  if (base < 0n) return parts.findLastIndex(isOfRate);
  const voided = parts.findIndex((part) => isOfRate(part) && part.voided > 0n);
  if (voided >= 0) return voided;
  const newest = parts.length - 1;
  return newest >= 0 && isOfRate(parts[newest]!) ? newest : -1;
}

/** @param taxRate undefined: of the newest, as an account knew of no other before */
export function withoutTaxed(
  parts: readonly TaxedPart[],
  { taxRate, base, adjustments, tax }: Omit<Taxed, 'taxRate'> & { readonly taxRate?: string | null },
): readonly TaxedPart[] {
  const isOfRate = (part: TaxedPart) => taxRate === undefined || part.taxRate === taxRate;
  const whole = parts.findLastIndex((part) => isOfRate(part) && part.base >= base);
  const place = whole >= 0 ? whole : parts.findLastIndex(isOfRate);
  const back = { base: -base, adjustments: -adjustments, tax: -tax };
  return parts.map((part, at) =>
    at === place ? { ...plus(part, back), voided: part.voided + (base > 0n ? base : 0n) } : part,
  );
}

/** Whatever was voided has had its turn. */
export const withNothingVoided = (parts: readonly TaxedPart[]): readonly TaxedPart[] =>
  parts.map((part) => ({ ...part, voided: 0n }));

const plus = (part: TaxedPart, more: Omit<Taxed, 'taxRate'>): TaxedPart => ({
  ...part,
  base: part.base + more.base,
  adjustments: part.adjustments + more.adjustments,
  tax: part.tax + more.tax,
});
