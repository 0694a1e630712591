/** An exact number n/d, with a positive denominator. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

export function rational(n: bigint, d = 1n): Rational {
  const sign = d < 0n ? -1n : 1n;
  const divisor = gcd(n < 0n ? -n : n, d < 0n ? -d : d);
  return { n: (sign * n) / divisor, d: (sign * d) / divisor };
}

export const ZERO = rational(0n);
export const ONE = rational(1n);

/** Reads decimal text: `-12.50`, `3e-2`. */
export function decimal(text: string): Rational {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = whole + part;
  if (digits === '') throw new RangeError(`not a decimal: ${text}`);
  const power = Number(exponent) - part.length;
  const n = BigInt(digits) * (sign === '-' ? -1n : 1n);
  return power < 0 ? rational(n, 10n ** BigInt(-power)) : rational(n * 10n ** BigInt(power));
}

export const integer = (n: number): Rational => rational(BigInt(n));
export const plus = (a: Rational, b: Rational): Rational => rational(a.n * b.d + b.n * a.d, a.d * b.d);
export const minus = (a: Rational, b: Rational): Rational => rational(a.n * b.d - b.n * a.d, a.d * b.d);
export const times = (a: Rational, b: Rational): Rational => rational(a.n * b.n, a.d * b.d);
export const over = (a: Rational, b: Rational): Rational => rational(a.n * b.d, a.d * b.n);

/** Returns a negative number, 0 or a positive number, for use by sort. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export const higher = (a: Rational, b: Rational): Rational => (compare(a, b) < 0 ? b : a);
export const lower = (a: Rational, b: Rational): Rational => (compare(a, b) < 0 ? a : b);
export const sumOf = (all: readonly Rational[]): Rational => all.reduce(plus, ZERO);

/** Rounds half away from zero. */
export function rounded({ n, d }: Rational): bigint {
  const size = n < 0n ? -n : n;
  const whole = (2n * size + d) / (2n * d);
  return n < 0n ? -whole : whole;
}

export const floor = ({ n, d }: Rational): bigint => (n >= 0n ? n / d : -((-n + d - 1n) / d));

/** Formats with at most `places` decimals and without trailing zeros. */
export function text(value: Rational, places = 10): string {
  const scale = 10n ** BigInt(places);
  const scaled = rounded(times(value, rational(scale)));
  const size = scaled < 0n ? -scaled : scaled;
  const part = String(size % scale)
    .padStart(places, '0')
    .replace(/0+$/, '');
  return `${scaled < 0n ? '-' : ''}${size / scale}${part && `.${part}`}`;
}

/** Distributes whole units in proportion to weights by the largest remainder; ties go to the earlier weight. */
export function distributed(total: bigint, weights: readonly bigint[]): bigint[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  if (all === 0n) return weights.map((_, index) => (index === 0 ? total : 0n));
  const [sign, size] = total < 0n ? [-1n, -total] : [1n, total];
  const shares = weights.map((weight) => (size * weight) / all);
  const rests = weights.map((weight, index) => ({ rest: (size * weight) % all, place: index }));
  rests.sort((a, b) => (a.rest === b.rest ? a.place - b.place : a.rest > b.rest ? -1 : 1));
  const left = size - shares.reduce((sum, share) => sum + share, 0n);
  for (const { place: index } of rests.slice(0, Number(left))) shares[index]! += 1n;
  return shares.map((share) => sign * share);
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}
