import type { Issued } from '../../kernel/decider.js';
import { DomainError } from '../../kernel/errors.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { anchorOf, nextBoundary, type Anchor } from '../../kernel/period.js';
import type { SubscriptionEvent, Term } from './events.js';
import { basisOf, durationOf, type Measure } from './offer.js';
import { renewedUnits } from './prepaid-units.js';
import type { Subscription } from './subscription.js';
import { renewedAddons } from './term-addons.js';

/** What the next term takes anew, everything else is carried over; `none` where nothing follows: nobody is left to bill. */
export type Renewal = Measure | 'none';

/**
 * At the end of a term: with auto_renew the next one begins there, complete in the event (billing.md section 9),
 * without it the subscription is over. Before the end, and once that was decided, there is nothing to do.
 */
export function closeTerm(
  { renewal, now, commandId }: Issued<{ readonly renewal: Renewal | undefined }>,
  state: Subscription | undefined,
): readonly SubscriptionEvent[] {
  if (!state) throw new DomainError('resource_not_found', 'There is no such subscription.');
  const { term, closedAt } = state;
  if (closedAt !== null || now < term.end) return [];
  const { subscriptionId, end: effectiveAt } = term;
  if (!term.autoRenew || renewal === 'none')
    return [{ type: 'SubscriptionEnded', data: { subscriptionId, effectiveAt } }];
  if (!renewal) throw new Error(`subscription ${subscriptionId} renews, and nothing says as what`);
  const successor = nextTerm(term, renewal, commandId);
  return [{ type: 'SubscriptionRenewed', data: { subscriptionId, effectiveAt, successor } }];
}

/** Begins where the term ends; its own end is the next boundary counted from the anchor, never from the one before. */
function nextTerm(term: Term, renewal: Measure, commandId: Uuid): Term {
  const { offer, zone } = renewal;
  const anchor = anchorAfter(term, renewal);
  const prepaidUnits = renewedUnits(offer.content, term.prepaidUnits ?? []);
  return {
    subscriptionId: derivedId(commandId, 'successor'),
    customerKey: term.customerKey,
    start: term.end,
    end: nextBoundary(term.end, zone, durationOf(offer), anchor),
    scheduledEnd: true,
    autoRenew: true,
    isNew: false,
    filters: term.filters,
    metadata: term.metadata,
    ...(prepaidUnits.length > 0 ? { prepaidUnits } : {}),
    ...renewedAddons(term, commandId),
    basis: basisOf(renewal, anchor),
  };
}

/** Carried on, except that after a switch the new version's own day begins to count (billing.md section 7). */
function anchorAfter({ end, basis }: Term, { offer, zone }: Measure): Anchor {
  const { dayAnchor, monthAnchor } = offer;
  if (!basis.continues || (dayAnchor === null && monthAnchor === null)) return basis.anchor;
  return anchorOf(end, zone, durationOf(offer), dayAnchor, monthAnchor);
}
