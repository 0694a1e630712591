import { LOCALE } from '../shared/locale.js';

/** Digits that the steps of an axis have: 1.05K, or 0.125. */
const STEPS = { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 3 } as const;

const NUMBERS = new Intl.NumberFormat(LOCALE, STEPS);

/** Formats a number of an axis, such as 1.25K. */
export const compactNumber = (value: number): string => NUMBERS.format(value);

/** Returns a short format of amounts for axes, such as $1.25K. */
export function compactAmountFormat(currency: string): (value: number) => string {
  const format = new Intl.NumberFormat(LOCALE, { ...STEPS, style: 'currency', currency });
  return (value) => format.format(value);
}
