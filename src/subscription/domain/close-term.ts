import type { IssuedCommand } from '../../kernel/decider.js';
import { DomainError, unknownId } from '../../kernel/errors.js';
import type { SubscriptionEvent } from './events.js';
import { nextTerm, type RenewalPricing } from './next-term.js';
import type { TermState } from './term-state.js';

/** Pricing of the next term; `none` when the customer is deleted and nothing follows. */
export type Renewal = RenewalPricing | 'none';

/**
 * Closes a term at its end. With auto_renew the event contains the complete next term (docs/billing.md#renewals);
 * without it the subscription ends. Before the end, and when the term is closed already, nothing happens.
 */
export function closeTerm(
  { renewal, now, commandId }: IssuedCommand<{ readonly renewal: Renewal | undefined }>,
  state: TermState | undefined,
): readonly SubscriptionEvent[] {
  if (!state) throw new DomainError('resource_not_found', unknownId('subscription'));
  const { term, closedAt } = state;
  if (closedAt !== null || now < term.end) return [];
  const { subscriptionId, end: effectiveAt } = term;
  if (!term.autoRenew || renewal === 'none')
    return [{ type: 'SubscriptionEnded', data: { subscriptionId, effectiveAt } }];
  if (!renewal) throw new Error(`subscription ${subscriptionId} renews, and nothing says as what`);
  const successor = nextTerm(state, renewal, commandId);
  return [{ type: 'SubscriptionRenewed', data: { subscriptionId, effectiveAt, successor } }];
}
