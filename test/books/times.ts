export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** Grid of acts: many share an instant, so that the clock moves hundreds instead of thousands of times. */
export const STEP = 6 * HOUR;
/** Months of 31 days. */
export const MONTHS_WRITTEN = 5;
