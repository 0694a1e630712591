import { sql, type RawBuilder } from 'kysely';
import type { SubscriptionFilter } from '../domain/events.js';

/** Whether a term's filters contain all of these. What PostgreSQL cannot store no term has, and it cannot be asked for. */
export const hasFilters = (
  column: RawBuilder<unknown>,
  filters: readonly SubscriptionFilter[],
): RawBuilder<boolean> =>
  filters.every(isStorable) ? sql`${column} @> ${JSON.stringify(filters)}::jsonb` : sql`false`;

const isStorable = ({ propertyName, value }: SubscriptionFilter): boolean =>
  [propertyName, value].every((text) => text.isWellFormed() && !text.includes('\0'));
