/** First columns of most views. */
export const ORG = { type: 'uuid', comment: 'Organization' };
export const MONTH = { type: 'date', comment: 'Month, UTC: its first day' };
export const CURRENCY = { type: 'text', comment: 'Currency of every amount in the row, ISO 4217' };
