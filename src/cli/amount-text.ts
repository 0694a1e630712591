import { minorUnits } from '../kernel/money.js';
import { textOfNumber } from '../kernel/quantity.js';

/** Writes an exact figure with at least the minor units of its currency: 33 as 33.00; a fraction, `n/d`, stays one. */
export function withMinorUnits(figure: string | number, currency: string): string {
  const text = typeof figure === 'number' ? textOfNumber(figure) : figure;
  const digits = minorUnits(currency);
  if (text.includes('/') || digits === 0) return text;
  const [whole, decimals = ''] = text.split('.');
  return `${whole}.${decimals.padEnd(digits, '0')}`;
}

/** Writes an amount with its currency, such as 33.00 USD. */
export const amountText = (figure: string | number, currency: string): string =>
  `${withMinorUnits(figure, currency)} ${currency}`;
