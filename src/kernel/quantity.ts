import { Fraction } from 'fraction.js';

/**
 * An exact rational number: a quantity, a price, a ratio. The type is opaque because fraction.js also accepts floats, and
 * approximates them; here every value comes from text, a bigint or a ratio.
 */
declare const brand: unique symbol;
export type Quantity = { readonly [brand]: 'Quantity' };

const wrap = (fraction: Fraction): Quantity => fraction as unknown as Quantity;
const inside = (q: Quantity): Fraction => q as unknown as Fraction;

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Limit of exponents, above those of a double: it keeps 1e9999 from filling memory. */
const LARGEST_EXPONENT = 400;

/** Reads decimal text, also as JavaScript prints numbers (`1e-7`). @throws RangeError for other text */
export function quantity(text: string): Quantity {
  const m = DECIMAL.exec(text);
  if (!m) throw new RangeError(`not a decimal number: ${text}`);
  const [, sign, whole, decimals = '', exponent = '0'] = m;
  const power = Number(exponent) - decimals.length;
  if (Math.abs(Number(exponent)) > LARGEST_EXPONENT) throw new RangeError(`exponent out of range: ${text}`);
  const digits = BigInt(whole! + decimals);
  const signed = sign === '-' ? -digits : digits;
  return power >= 0 ? ratio(signed * powerOfTen(power), 1n) : ratio(signed, powerOfTen(-power));
}

/** Converts a number by its shortest decimal text, without float arithmetic (docs/billing.md#rounding). */
export const quantityOfNumber = (n: number): Quantity => quantity(String(n));

/** Returns n ÷ d. @throws Error if d is 0 */
export const ratio = (n: bigint, d: bigint): Quantity => wrap(new Fraction(n, d));

export const ZERO = ratio(0n, 1n);
export const ONE = ratio(1n, 1n);

export const add = (a: Quantity, b: Quantity): Quantity => wrap(inside(a).add(inside(b)));
export const subtract = (a: Quantity, b: Quantity): Quantity => wrap(inside(a).sub(inside(b)));
export const multiply = (a: Quantity, b: Quantity): Quantity => wrap(inside(a).mul(inside(b)));
/** @throws Error if b is 0 */
export const divide = (a: Quantity, b: Quantity): Quantity => wrap(inside(a).div(inside(b)));

/** Compares two values for sorting: negative, zero or positive. */
export const compareQuantities = (a: Quantity, b: Quantity): number => inside(a).compare(inside(b));
export const isZero = (q: Quantity): boolean => inside(q).n === 0n;
export const isNegative = (q: Quantity): boolean => inside(q).s < 0n && inside(q).n !== 0n;
export const minQuantity = (a: Quantity, b: Quantity): Quantity => (compareQuantities(a, b) <= 0 ? a : b);
export const maxQuantity = (a: Quantity, b: Quantity): Quantity => (compareQuantities(a, b) >= 0 ? a : b);

/** Returns numerator (with the sign) and denominator in lowest terms. */
export function parts(q: Quantity): { readonly n: bigint; readonly d: bigint } {
  const { s, n, d } = inside(q);
  return { n: s * n, d };
}

/** Rounds q × times half away from zero: −0.5 → −1 (fraction.js rounds it to 0). */
export function roundHalfAwayFromZero(q: Quantity, times = 1n): bigint {
  const { s, n, d } = inside(q);
  return roundedQuotient(s * n * times, d);
}

/** Returns n ÷ d, rounded half away from zero. @param d above 0 */
export const roundedQuotient = (n: bigint, d: bigint): bigint =>
  n < 0n ? -((d - 2n * n) / (2n * d)) : (2n * n + d) / (2n * d);

export function floor(q: Quantity): bigint {
  const { s, n, d } = inside(q);
  return s < 0n ? -((n + d - 1n) / d) : n / d;
}

export function ceil(q: Quantity): bigint {
  const { s, n, d } = inside(q);
  return s < 0n ? -(n / d) : (n + d - 1n) / d;
}

/** Writes text for people: rounded half away from zero, without trailing zeros (docs/billing.md#usage-lines). */
export function toDecimalText(q: Quantity, maxDecimals = 10): string {
  return placePoint(roundHalfAwayFromZero(q, powerOfTen(maxDecimals)), maxDecimals);
}

/** Writes every digit, for events and hashes. @throws RangeError for a number without finite decimal text, such as 1/3 */
export function exactDecimalText(q: Quantity): string {
  const text = exactText(q);
  if (text.includes('/')) throw new RangeError(`${text} has no finite decimal text`);
  return text;
}

/** Writes a number with plain digits, as filters compare it (docs/billing.md#event-values): 1e21 → 1000000000000000000000. */
export const textOfNumber = (n: number): string => exactDecimalText(quantityOfNumber(n));

/** Writes any number for events and hashes: decimal text with every digit, or `n/d` if the decimal does not end. */
export function exactText(q: Quantity): string {
  const { n, d } = parts(q);
  const twos = timesDivisible(d, 2n);
  const fives = timesDivisible(d, 5n);
  if (d !== 2n ** BigInt(twos) * 5n ** BigInt(fives)) return `${n}/${d}`;
  const decimals = Math.max(twos, fives);
  return placePoint((n * powerOfTen(decimals)) / d, decimals);
}

/** Reads text that `exactText` wrote. */
export function readExactText(text: string): Quantity {
  const slash = text.indexOf('/');
  return slash < 0 ? quantity(text) : ratio(BigInt(text.slice(0, slash)), BigInt(text.slice(slash + 1)));
}

/** Limit of characters: no double of 15 digits needs more, and longer text is slow to read. */
const LONGEST_NUMBER = 400;
const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads the value of an event's property: a number, or a string that is a JSON number, from 1e-307 to below 1e308 and with
 * at most 15 significant digits, so that text and double are equal. Anything else is absent: undefined
 * (docs/billing.md#event-values). The usage log has this rule in SQL too.
 */
export function readJsonNumber(value: unknown): Quantity | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value);
  const m = text.length <= LONGEST_NUMBER ? JSON_NUMBER.exec(text) : null;
  if (!m) return undefined;
  const [, sign, whole, decimals = '', exponent = '0'] = m;
  const digits = (whole! + decimals).replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return ZERO;
  const power = Number(exponent) - decimals.length + digits.length - significant.length;
  const magnitude = power + significant.length - 1;
  if (significant.length > 15 || Math.abs(magnitude) > 307) return undefined;
  return quantity(`${sign}${significant}e${power}`);
}

const POWERS: bigint[] = [];
/** Number of powers of ten that are kept, above those of any number that a caller can send. */
const MAX_POWERS = 1_000;
const powerOfTen = (exponent: number): bigint =>
  exponent < MAX_POWERS ? (POWERS[exponent] ??= 10n ** BigInt(exponent)) : 10n ** BigInt(exponent);

/**
 * Counts how often a prime divides a value above 0. It divides by the prime, its square, the square of that …, as dividing
 * by the prime alone takes 600 divisions for a price of 1e-300, and a caller can send thousands of such prices.
 */
function timesDivisible(value: bigint, prime: bigint): number {
  const squares: bigint[] = [];
  for (let power = prime; value % power === 0n; power *= power) squares.push(power);
  let times = 0;
  let rest = value;
  for (const power of squares.reverse()) {
    times *= 2;
    if (rest % power !== 0n) continue;
    rest /= power;
    times += 1;
  }
  return times;
}

/** Places the decimal point: 1230 with 2 decimals → `12.3`. */
function placePoint(scaled: bigint, decimals: number): string {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = withoutTrailingZeros(digits.slice(digits.length - decimals));
  return `${scaled < 0n ? '-' : ''}${whole}${rest && `.${rest}`}`;
}

/** Cuts zeros at the end. The expression `0+$` would begin anew at every zero of 1e-300. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
