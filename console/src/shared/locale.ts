/** Locale of the reader for numbers and dates. */
export const LOCALE = navigator.language;
