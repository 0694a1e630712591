import { DomainError, type FieldError } from '../../kernel/errors.js';
import type { SubscriptionFilter, Term } from './events.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

const sameFilter = (a: SubscriptionFilter, b: SubscriptionFilter): boolean =>
  a.propertyName === b.propertyName && a.value === b.value;

/** Tells whether every filter of `part` is in `whole`. */
const containsAll = (whole: readonly SubscriptionFilter[], part: readonly SubscriptionFilter[]): boolean =>
  part.every((filter) => whole.some((other) => sameFilter(filter, other)));

/** Tells whether two subscriptions can count the same usage: the filters of one contain those of the other. */
const comparable = (a: readonly SubscriptionFilter[], b: readonly SubscriptionFilter[]): boolean =>
  containsAll(a, b) || containsAll(b, a);

export const uniqueFilters = (filters: readonly SubscriptionFilter[]): SubscriptionFilter[] =>
  filters.filter((filter, index) => filters.findIndex((other) => sameFilter(filter, other)) === index);

/**
 * Returns an error for each filter whose name is not in `subscription_filter_keys`; without keys every name is
 * allowed.
 */
export function filterErrors(filters: readonly SubscriptionFilter[], keys: readonly string[]): FieldError[] {
  if (keys.length === 0) return [];
  return filters.flatMap(({ propertyName }, index) =>
    keys.includes(propertyName)
      ? []
      : [
          {
            code: 'invalid' as const,
            attr: `subscription_filters.${index}.property_name`,
            detail: `Choose a property from: ${keys.join(', ')}.`,
          },
        ],
  );
}

/** Time span in which a subscription uses a plan version, with its filters. */
export interface OverlapReservation {
  readonly subscriptionId: Uuid;
  readonly versionId: Uuid;
  readonly start: Instant;
  /** Null: open-ended. */
  readonly end: Instant | null;
  readonly filters: readonly SubscriptionFilter[];
}

/** Makes the reservation of a term; a term with auto_renew is open-ended (docs/architecture.md#claims). */
export const reservationOf = (term: Term): OverlapReservation => ({
  subscriptionId: term.subscriptionId,
  versionId: term.basis.versionId,
  start: term.start,
  end: term.autoRenew ? null : term.end,
  filters: term.filters,
});

/** Another change has moved the end since the reservation was looked at, and may have shortened it. */
export class EndMoved extends DomainError {
  constructor() {
    super('conflict', 'Other requests are changing the end of the subscription. Try again.');
  }
}

/** @throws EndMoved unless the reservation of the term is the one that a command was decided on */
export function requireReservedEnd(reservedEnd: Instant | null | undefined, term: Term): void {
  if (reservedEnd !== undefined && reservationOf(term).end !== reservedEnd) throw new EndMoved();
}

/** A term that was cancelled before it began takes no time. */
const isEmpty = ({ start, end }: OverlapReservation): boolean => end !== null && end <= start;

/** Tells whether two reservations of one customer overlap in version, time and filters. */
export const overlaps = (a: OverlapReservation, b: OverlapReservation): boolean =>
  a.versionId === b.versionId &&
  !isEmpty(a) &&
  !isEmpty(b) &&
  (b.end === null || a.start < b.end) &&
  (a.end === null || b.start < a.end) &&
  comparable(a.filters, b.filters);

/** Finds the first reservation that collides with an existing one, or with an earlier one of the request. */
export function firstCollision<Held extends OverlapReservation>(
  requested: readonly OverlapReservation[],
  held: readonly Held[],
): Held | OverlapReservation | undefined {
  for (const [index, reservation] of requested.entries()) {
    const collides = (other: OverlapReservation): boolean =>
      other.subscriptionId !== reservation.subscriptionId && overlaps(other, reservation);
    const other = held.find(collides) ?? requested.slice(0, index).find(collides);
    if (other) return other;
  }
  return undefined;
}
