import type { Issued } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { SubscriptionEvent, Term } from './events.js';
import { firstTerm, type StartRequest } from './first-term.js';
import type { Subscription } from './subscription-state.js';

/** A customer subscribes: the first term of a chain of renewals. */
export function start(
  { request, now }: Issued<{ readonly request: StartRequest }>,
  state: Subscription | undefined,
): readonly SubscriptionEvent[] {
  if (state) throw new DomainError('invalid_state', 'This subscription was started already.');
  const term = firstTerm(request, now);
  return [{ type: 'SubscriptionStarted', data: { term, origin: { kind: 'created' } } }];
}

/** A term that the one before decided on. */
export interface SuccessorStart {
  readonly term: Term;
  readonly by: 'renewal' | 'switch';
  readonly predecessor: Uuid;
  /** Id of the deciding event. */
  readonly cause: Uuid;
}

/** The term that a renewal or a switch decided begins its own stream. Told twice, it began once. */
export function startSuccessor(
  { term, by: kind, predecessor, cause }: SuccessorStart,
  state: Subscription | undefined,
): readonly SubscriptionEvent[] {
  if (state) return [];
  return [{ type: 'SubscriptionStarted', data: { term, origin: { kind, predecessor, cause } } }];
}
