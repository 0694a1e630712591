export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** Several acts share an instant, so that the clock moves some hundred times and not some thousand. */
export const STEP = 6 * HOUR;
/** Of 31 days. */
export const MONTHS_WRITTEN = 5;
