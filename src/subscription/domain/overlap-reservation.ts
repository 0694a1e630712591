import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { SubscriptionFilter, Term } from './events.js';
import { comparable } from './filters.js';

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
