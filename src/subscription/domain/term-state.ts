import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PrepaidChange } from '../../pricing/price-content.js';
import type { BulkMark, CancelTerms, SwitchTerms, Term } from './events.js';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { type OverlapReservation, reservationOf } from './overlap-reservation.js';

/** State of one term of a subscription. */
export interface TermState {
  readonly term: Term;
  /** True if a renewal began the term. */
  readonly renewal: boolean;
  /** Instant at which the term ended; null while it runs, also past its end until the end is decided. */
  readonly closedAt: Instant | null;
  /** The term that a renewal or a switch began at its end. */
  readonly successor: Uuid | null;
  /** True if the end was moved after the start. Advance charges are then computed again at the end. */
  readonly endMoved: boolean;
  /** The changes of its prepaid units, in their order; the term has the latest units. */
  readonly prepaidChanges: readonly PrepaidChange[];
  /** Settlement of a cancellation; null unless the term was cancelled. */
  readonly cancelled: Cancellation | null;
  /** Settlement of a switch, and the successor; null unless a switch ended the term. */
  readonly switched: CompletedSwitch | null;
}

export interface Cancellation extends CancelTerms, BulkMark {
  readonly billedAt: Instant;
  /** True if the term was cancelled before it began. */
  readonly neverBegan?: true;
}

export interface CompletedSwitch extends SwitchTerms, BulkMark {
  readonly billedAt: Instant;
  /** End that the running billing period had before the switch. */
  readonly periodEnd: Instant;
  /** The metrics whose running windows continue in the successor. */
  readonly moved: readonly Uuid[];
  /** The successor as it began. */
  readonly successor: Term;
}

/** @throws DomainError `resource_not_found` for a term that was never started */
export function requireExisting(state: TermState | undefined): TermState {
  if (!state) throw new DomainError('resource_not_found', unknownId('subscription'));
  return state;
}

/**
 * Returns a term that can still be changed. At the instant of its end a term is over
 * (docs/billing.md#terms-and-periods), even before its end is decided.
 * @throws DomainError `resource_not_found`, `invalid_state`
 */
export function requireRunning(state: TermState | undefined, now: Instant): TermState {
  const existing = requireExisting(state);
  if (existing.closedAt !== null || now >= existing.term.end) throw alreadyEnded();
  return existing;
}

/** Returns the refusal of a change after the end of a term. The contract gives its text. */
export const alreadyEnded = (): DomainError => new DomainError('invalid_state', 'Subscription already ended');

/** Returns the account that a term is billed on. */
export const accountOf = ({ term: { customerKey, basis } }: TermState) => ({
  customerKey,
  currency: basis.currency,
});

/** Copies the mark of a bulk change, if there is one. */
export const bulkMarkOf = ({ billedTogether }: BulkMark): BulkMark =>
  billedTogether ? { billedTogether } : {};

export type ReservedTerm = Pick<TermState, 'term' | 'closedAt'>;

/** Returns the time span that a term reserves now: open-ended with `auto_renew` until it is closed. */
export const timeSpanOf = ({ term, closedAt }: ReservedTerm): Pick<OverlapReservation, 'start' | 'end'> => ({
  start: term.start,
  end: closedAt === null ? reservationOf(term).end : term.end,
});
