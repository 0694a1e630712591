import type { FieldError } from '../../kernel/errors.js';
import type { SubscriptionFilter, Term } from './events.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

const sameFilter = (a: SubscriptionFilter, b: SubscriptionFilter): boolean =>
  a.propertyName === b.propertyName && a.value === b.value;

/** Whether every filter of `part` is among `whole`. */
const containsAll = (whole: readonly SubscriptionFilter[], part: readonly SubscriptionFilter[]): boolean =>
  part.every((filter) => whole.some((other) => sameFilter(filter, other)));

/** Two subscriptions can mean the same usage when the filters of one contain those of the other. */
const comparable = (a: readonly SubscriptionFilter[], b: readonly SubscriptionFilter[]): boolean =>
  containsAll(a, b) || containsAll(b, a);

export const uniqueFilters = (filters: readonly SubscriptionFilter[]): SubscriptionFilter[] =>
  filters.filter((filter, place) => filters.findIndex((other) => sameFilter(filter, other)) === place);

/** Names outside the organization's `subscription_filter_keys`, when keys are set. */
export function filterErrors(filters: readonly SubscriptionFilter[], keys: readonly string[]): FieldError[] {
  if (keys.length === 0) return [];
  return filters.flatMap(({ propertyName }, place) =>
    keys.includes(propertyName)
      ? []
      : [
          {
            code: 'invalid' as const,
            attr: `subscription_filters.${place}.property_name`,
            detail: `Choose a property from: ${keys.join(', ')}.`,
          },
        ],
  );
}

/** The place of a subscription among those of its customer. */
export interface OverlapReservation {
  readonly subscriptionId: Uuid;
  readonly versionId: Uuid;
  readonly start: Instant;
  /** Null: open-ended. */
  readonly end: Instant | null;
  readonly filters: readonly SubscriptionFilter[];
}

/** A term that renews itself counts as open-ended (docs/architecture.md#claims). */
export const reservationOf = (term: Term): OverlapReservation => ({
  subscriptionId: term.subscriptionId,
  versionId: term.basis.versionId,
  start: term.start,
  end: term.autoRenew ? null : term.end,
  filters: term.filters,
});

/** True for two reservations of one customer with the same version, at overlapping times, with filters that can mean the same usage. */
export const overlaps = (a: OverlapReservation, b: OverlapReservation): boolean =>
  a.versionId === b.versionId &&
  (b.end === null || a.start < b.end) &&
  (a.end === null || b.start < a.end) &&
  comparable(a.filters, b.filters);
