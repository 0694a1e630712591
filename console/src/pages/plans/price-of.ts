/** A tier as the API answers it. */
export interface Tier {
  readonly type: 'flat' | 'per_unit' | 'free';
  readonly range_start: number;
  readonly range_end: number | null;
  readonly cost_per_batch: number | null;
  readonly metric_units_per_batch: number | null;
  readonly batch_rounding_type: 'round_up' | 'round_down' | 'round_nearest' | 'no_rounding' | null;
}

/** An exact fraction; the denominator is above zero. */
interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

interface Range {
  readonly tier: Tier;
  readonly start: Fraction;
  readonly end: Fraction | null;
}

const ZERO: Fraction = { n: 0n, d: 1n };
const ONE: Fraction = { n: 1n, d: 1n };

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** Reads decimal text, or a number as JSON writes it. Undefined: the text is no number. */
function fractionOf(value: string | number): Fraction | undefined {
  const match = DECIMAL.exec(String(value));
  if (!match) return undefined;
  const [, sign = '', whole = '0', digits = '', exponent = '0'] = match;
  const n = BigInt(`${sign}${whole}${digits}`);
  const scale = digits.length - Number(exponent);
  return scale >= 0 ? { n, d: 10n ** BigInt(scale) } : { n: n * 10n ** BigInt(-scale), d: 1n };
}

const exact = (value: number | null, otherwise: Fraction): Fraction =>
  value === null ? otherwise : (fractionOf(value) ?? otherwise);
const add = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const subtract = (a: Fraction, b: Fraction): Fraction => add(a, { n: -b.n, d: b.d });
const multiply = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const divide = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n });
const isAbove = (a: Fraction, b: Fraction): boolean => a.n * b.d > b.n * a.d;
const isEqual = (a: Fraction, b: Fraction): boolean => a.n * b.d === b.n * a.d;
/** Neither is negative. */
const floor = ({ n, d }: Fraction): bigint => n / d;

function roundBatches(batches: Fraction, rounding: Tier['batch_rounding_type']): Fraction {
  const whole = floor(batches);
  if (rounding === 'round_up') return { n: whole * batches.d === batches.n ? whole : whole + 1n, d: 1n };
  if (rounding === 'round_down') return { n: whole, d: 1n };
  if (rounding === 'round_nearest') return { n: floor(add(batches, { n: 1n, d: 2n })), d: 1n };
  return batches;
}

/** A tier that starts 1 above the end before it is contiguous, as the service reads it. */
function rangesOf(tiers: readonly Tier[]): Range[] {
  const ranges: Range[] = [];
  for (const tier of tiers) {
    const written = exact(tier.range_start, ZERO);
    const before = ranges.at(-1)?.end;
    const start = before && isEqual(written, add(before, ONE)) ? before : written;
    ranges.push({ tier, start, end: tier.range_end === null ? null : exact(tier.range_end, ZERO) });
  }
  return ranges;
}

const costOf = ({ cost_per_batch: cost }: Tier): Fraction => exact(cost, ZERO);

const batchesCost = (tier: Tier, units: Fraction): Fraction =>
  multiply(
    roundBatches(divide(units, exact(tier.metric_units_per_batch, ONE)), tier.batch_rounding_type),
    costOf(tier),
  );

function graduated({ tier, start, end }: Range, used: Fraction): Fraction {
  const isReached = isAbove(used, start);
  if (tier.type === 'flat') return isReached || start.n === 0n ? costOf(tier) : ZERO;
  if (tier.type === 'free' || !isReached) return ZERO;
  return batchesCost(tier, subtract(end && isAbove(used, end) ? end : used, start));
}

function volume(ranges: readonly Range[], used: Fraction): Fraction {
  const range = ranges.find(({ end }) => end === null || !isAbove(used, end)) ?? ranges.at(-1);
  if (!range || range.tier.type === 'free') return ZERO;
  return range.tier.type === 'flat' ? costOf(range.tier) : batchesCost(range.tier, used);
}

export type Pricing = 'graduated' | 'volume';

export const pricingOf = ({
  bulk_pricing_enabled: isBulk,
}: {
  readonly bulk_pricing_enabled: boolean;
}): Pricing => (isBulk ? 'volume' : 'graduated');

/**
 * Returns the price of a quantity in major units as decimal text, rounded half away from zero to `digits`, by the rules of
 * docs/billing.md#tiers. Undefined: the quantity is no number, or below zero.
 */
export function priceOf(
  tiers: readonly Tier[],
  quantity: string | number,
  pricing: Pricing,
  digits: number,
): string | undefined {
  const used = fractionOf(quantity);
  if (!used || used.n < 0n) return undefined;
  const ranges = rangesOf(tiers);
  const price =
    pricing === 'volume'
      ? volume(ranges, used)
      : ranges.map((range) => graduated(range, used)).reduce(add, ZERO);
  return decimalText(price, digits);
}

/** Prices are not negative. */
function decimalText(value: Fraction, digits: number): string {
  const scaled = multiply(value, { n: 10n ** BigInt(digits), d: 1n });
  const text = String(floor(add(scaled, { n: 1n, d: 2n }))).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
