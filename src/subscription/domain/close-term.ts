import { carriedOverAtRenewal } from '../../pricing/carried-over-proration.js';
import { lastPeriodOf } from '../../pricing/proration.js';
import type { PriceContent, TermBasis } from '../../pricing/price-content.js';
import type { IssuedCommand } from '../../kernel/decider.js';
import { DomainError, unknownId } from '../../kernel/errors.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import { anchorOf, type Anchor, isSameInterval, type Period } from '../../kernel/period.js';
import { isInsideLocalDay, startOfNextLocalDay } from '../../kernel/zone.js';
import type { SubscriptionEvent, Term } from './events.js';
import {
  basisOf,
  durationOf,
  firstPeriodAfter,
  type TermPricing,
  renewedUnits,
  renewedAddons,
} from './term-periods.js';
import type { TermState } from './term-state.js';

/** Current pricing of the next term; `none` when the customer is deleted and nothing follows. */
export type Renewal = RenewalPricing | 'none';

export interface RenewalPricing extends TermPricing {
  /** Prices of the term that ends. */
  readonly former?: PriceContent;
}

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

/** Makes the next term: it begins where the term ends, and ends at the next boundary counted from the anchor. */
function nextTerm(state: TermState, renewal: RenewalPricing, commandId: Uuid): Term {
  const { term } = state;
  const { version } = renewal;
  const anchor = anchorAfter(state, renewal);
  const { end, full } = firstPeriodAfter(term, renewal, anchor);
  const daysFrom = daysFromAfter(term, renewal);
  const continued = continuedPeriod(term, renewal, anchor);
  const prepaidUnits = renewedUnits(version.content, term.prepaidUnits ?? []);
  return {
    subscriptionId: derivedId(commandId, 'successor'),
    customerKey: term.customerKey,
    start: term.end,
    end,
    scheduledEnd: true,
    autoRenew: true,
    isNew: false,
    filters: term.filters,
    metadata: term.metadata,
    ...(prepaidUnits.length > 0 ? { prepaidUnits } : {}),
    ...renewedAddons(term, commandId, { ...daysFrom, continued }),
    basis: {
      ...basisOf(renewal, anchor),
      ...daysFrom,
      ...(full ? { firstFull: full } : {}),
      ...(continued ? carriedOverProration(state, renewal) : {}),
      ...ownStartAfter(term.basis, anchor),
    },
  };
}

/** Returns the day that the next term counts from, where the term was charged for the day of its end. */
function daysFromAfter(
  { end, basis }: Pick<Term, 'end' | 'basis'>,
  { zone }: TermPricing,
): Pick<TermBasis, 'daysFrom'> {
  const isUsed = basis.prorationBasis === 'day' && isInsideLocalDay(end, basis.zone);
  return isUsed && isInsideLocalDay(end, zone) ? { daysFrom: startOfNextLocalDay(end, zone) } : {};
}

/** Returns the start of the subscription where the anchor of its next term has another start. */
function ownStartAfter({ ownStart, anchor }: TermBasis, next: Anchor): Pick<TermBasis, 'ownStart'> {
  const began = ownStart ?? anchor.firstStart;
  return began === next.firstStart ? {} : { ownStart: began };
}

/**
 * Returns the anchor of the next term: the same one, or after a switch the new version's own
 * (docs/billing.md#plan-switches).
 */
function anchorAfter(
  { renewal, term: { end, basis } }: Pick<TermState, 'renewal' | 'term'>,
  { version, zone }: TermPricing,
): Anchor {
  const { dayAnchor, monthAnchor } = version;
  const isSwitched = basis.continues !== undefined && !renewal;
  if (!isSwitched || (dayAnchor === null && monthAnchor === null)) return basis.anchor;
  return anchorOf(end, zone, durationOf(version), dayAnchor, monthAnchor);
}

/**
 * Returns the full period that the next term continues, after an end that was set inside it: the next term has the rest
 * of that period, as long as its boundaries are the same.
 */
function continuedPeriod(term: Term, { version, zone }: TermPricing, anchor: Anchor): Period | undefined {
  const { basis } = term;
  const isSameGrid =
    zone === basis.zone && anchor === basis.anchor && isSameInterval(durationOf(version), basis.duration);
  const { full } = lastPeriodOf(term);
  return isSameGrid && term.end < full.end ? full : undefined;
}

function carriedOverProration(state: TermState, { former }: RenewalPricing): Pick<TermBasis, 'continues'> {
  const continues = former && carriedOverAtRenewal(state, former);
  return continues ? { continues } : {};
}
