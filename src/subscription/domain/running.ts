import { DomainError } from '../../kernel/errors.js';
import type { Instant } from '../../kernel/instant.js';
import type { Subscription } from './subscription-state.js';

/**
 * A term that can still be changed. At the very instant of its end it cannot: whoever acts then finds the next term
 * begun (docs/billing.md#terms-and-periods), also before that is decided.
 * @throws DomainError `resource_not_found`, `invalid_state`
 */
export function requireRunning(state: Subscription | undefined, now: Instant): Subscription {
  if (!state) throw new DomainError('resource_not_found', 'There is no subscription with this id.');
  if (state.closedAt !== null || now >= state.term.end) {
    throw new DomainError('invalid_state', 'Subscription already ended');
  }
  return state;
}
