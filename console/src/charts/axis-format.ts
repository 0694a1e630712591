/** Digits that the steps of an axis have: 1.05K, or 0.125. */
const STEPS = { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 3 } as const;

/** Returns a short format of the numbers of an axis, such as 1.25K. */
export const compactNumberFormat = (locale: string): ((value: number) => string) =>
  formatBy(new Intl.NumberFormat(locale, STEPS));

/** Returns a short format of amounts for axes, such as $1.25K. */
export const compactAmountFormat = (locale: string, currency: string): ((value: number) => string) =>
  formatBy(new Intl.NumberFormat(locale, { ...STEPS, style: 'currency', currency }));

const formatBy =
  (format: Intl.NumberFormat) =>
  (value: number): string =>
    format.format(value);
