import { amountFormat, formatAmount, formatQuantity } from './amount.js';
import { toChartNumber } from './chart-number.js';
import { LOCALE } from './locale.js';

/** Exact figures of the API are decimal text or a fraction, `n/d`. */
const DECIMAL = /^-?\d+(\.\d+)?$/;

const EXACT = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 });

/** Formats an exact figure in the reader's locale, with every digit; a fraction stays a fraction. */
export function formatExact(text: string): string {
  if (DECIMAL.test(text)) return EXACT.format(text as Intl.StringNumericLiteral);
  const [numerator = '', denominator = ''] = text.split('/');
  return DECIMAL.test(numerator) && DECIMAL.test(denominator)
    ? `${EXACT.format(numerator as Intl.StringNumericLiteral)} ⁄ ${EXACT.format(denominator as Intl.StringNumericLiteral)}`
    : text;
}

/**
 * Formats an exact amount in its currency with every digit. A fraction has four decimals beside it, such as
 * `1,421 ⁄ 180 (≈ $7.8944)`.
 */
export function formatExactAmount(text: string, currency: string): string {
  if (!DECIMAL.test(text)) {
    const rounded = Math.round(toChartNumber(text) * 10_000) / 10_000;
    return `${formatExact(text)} (≈\u00A0${formatAmount(rounded, currency)})`;
  }
  const [, decimals = ''] = text.split('.');
  return amountFormat(currency, decimals.length).format(text as Intl.StringNumericLiteral);
}

/** Formats a fraction of a whole with its percentage, such as `15 ⁄ 31 (48.39 %)`. */
export function formatShare(text: string): string {
  const share = toChartNumber(text);
  if (share === 1) return 'the whole';
  return `${formatExact(text)} (${formatQuantity(Math.round(share * 10_000) / 100)} %)`;
}
