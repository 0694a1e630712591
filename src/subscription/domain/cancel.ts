import type { IssuedCommand } from '../../kernel/decider.js';
import { latest } from '../../kernel/instant.js';
import type { BulkMark, CancelTerms, SubscriptionEvent } from './events.js';
import { endOfRunningPeriod } from './term-periods.js';
import { bulkMarkOf, requireRunning, type TermState } from './term-state.js';

/**
 * Ends a term now. A term that has not begun ends at its start, with no length. Its settlement is due at once, or at
 * the former end of the running billing period.
 * @throws DomainError `resource_not_found`; `invalid_state` once the term is over
 */
export function cancel(
  { terms, billedTogether, now }: IssuedCommand<{ readonly terms: CancelTerms } & BulkMark>,
  state: TermState | undefined,
): readonly SubscriptionEvent[] {
  const { term } = requireRunning(state, now);
  const { subscriptionId, customerKey, basis } = term;
  const end = latest(now, term.start);
  const { flatFee, usage, invoicing } = terms;
  return [
    {
      type: 'SubscriptionCancelled',
      data: {
        subscriptionId,
        customerKey,
        currency: basis.currency,
        effectiveAt: now,
        end,
        flatFee,
        usage,
        invoicing,
        billedAt: invoicing === 'invoice_now' ? now : endOfRunningPeriod(term, end),
        ...bulkMarkOf({ billedTogether }),
      },
    },
  ];
}
