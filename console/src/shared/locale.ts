/** The reader's own way of writing numbers and dates. */
export const LOCALE = navigator.language;
