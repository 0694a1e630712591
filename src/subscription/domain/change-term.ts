import { canonicalJson } from '../../kernel/canonical-json.js';
import type { IssuedCommand } from '../../kernel/decider.js';
import { invalidFields } from '../../kernel/errors.js';
import type { Instant } from '../../kernel/instant.js';
import { endErrors, normalizedEnd } from './term-periods.js';
import type { SubscriptionEvent, Term } from './events.js';
import { requireReservedEnd } from './overlap-reservation.js';
import { requireRunning, type TermState } from './term-state.js';

/** Changes of a term; a field that is left out stays as it is. */
export interface TermChanges {
  readonly turnOffAutoRenew: boolean;
  readonly end?: Instant;
  readonly metadata?: Term['metadata'];
}

export interface TermChange {
  readonly changes: TermChanges;
  /**
   * End of the reservation of the term that the change was decided on, null for open-ended; left out where the reservation
   * was not looked at.
   */
  readonly reservedEnd?: Instant | null;
}

/**
 * Changes a term before its end (docs/contract.md#update-a-subscription). A field that has its new value already
 * appends no event.
 * @throws DomainError `resource_not_found`; `invalid_state` once the term is over; `invalid` for an end in the past;
 *   `EndMoved`
 */
export function changeTerm(
  { changes, reservedEnd, now: effectiveAt }: IssuedCommand<TermChange>,
  state: TermState | undefined,
): readonly SubscriptionEvent[] {
  const { term } = requireRunning(state, effectiveAt);
  if (changes.end !== undefined) requireReservedEnd(reservedEnd, term);
  const { subscriptionId } = term;
  const events: SubscriptionEvent[] = [];
  if (changes.turnOffAutoRenew && term.autoRenew) {
    events.push({ type: 'AutoRenewTurnedOff', data: { subscriptionId, effectiveAt } });
  }
  const end = changes.end && normalizedEnd(changes.end, term.basis.zone);
  if (end !== undefined) {
    const [wrong] = endErrors(term.start, end, effectiveAt);
    if (wrong) throw invalidFields(wrong);
    if (end !== term.end) {
      const data = { subscriptionId, end, formerEnd: term.end, effectiveAt };
      events.push({ type: 'EndDateChanged', data });
    }
  }
  const { metadata } = changes;
  if (metadata !== undefined && canonicalJson(metadata) !== canonicalJson(term.metadata)) {
    events.push({ type: 'MetadataChanged', data: { subscriptionId, metadata } });
  }
  return events;
}
