/** Columns that most views begin with. */
export const ORG = { type: 'uuid', comment: 'Organization' };
export const MONTH = { type: 'date', comment: 'Month, UTC: its first day' };
export const CURRENCY = { type: 'text', comment: 'Currency of every amount in the row, ISO 4217' };

/** A row with the present time of an organization: of its test clock, where the service has one. */
export const NOW_OF = (org: string): string =>
  `(select coalesce((select manual_clock.now from manual_clock where manual_clock.org = ${org}), now()) as now)`;
