import { carriedOverAtRenewal } from '../../pricing/carried-over-proration.js';
import { lastPeriodOf } from '../../pricing/proration.js';
import {
  boundaryAnchorOf,
  type PrepaidUnits,
  type PriceContent,
  type TermBasis,
} from '../../pricing/price-content.js';
import type { Instant } from '../../kernel/instant.js';
import { derivedId, type Uuid } from '../../kernel/ids.js';
import {
  anchorOf,
  type Anchor,
  fullPeriodOf,
  isSameInterval,
  nextBoundary,
  type Period,
  renewalPeriod,
} from '../../kernel/period.js';
import { isInsideLocalDay, startOfNextLocalDay } from '../../kernel/zone.js';
import type { Term, TermAddon } from './events.js';
import { basisOf, durationOf, runningAddons, type TermPricing, unitsOf } from './term-periods.js';
import type { TermState } from './term-state.js';

/** Current pricing of a term that renews another one. */
export interface RenewalPricing extends TermPricing {
  /** Prices of the term that ends. */
  readonly former?: PriceContent;
}

/** Makes the next term: it begins where the term ends, and ends at the next boundary counted from the anchor. */
export function nextTerm(state: TermState, renewal: RenewalPricing, commandId: Uuid): Term {
  const { term } = state;
  const { version } = renewal;
  const anchor = anchorAfter(state, renewal);
  const basis = basisOf(renewal, anchor);
  const { end, full } = firstPeriodAfter(term, renewal, boundaryAnchorOf(basis));
  const continued = continuedPeriod(term, renewal, anchor);
  const daysFrom = daysFromAfter(term, renewal, continued);
  const firstFull = full ?? continuedFirstFull(term, continued);
  const prepaidUnits = renewedUnits(version.content, term.prepaidUnits ?? []);
  return {
    subscriptionId: derivedId(commandId, 'successor'),
    customerKey: term.customerKey,
    start: term.end,
    end: firstFull?.end ?? end,
    scheduledEnd: true,
    autoRenew: true,
    isNew: false,
    filters: term.filters,
    metadata: term.metadata,
    ...(prepaidUnits.length > 0 ? { prepaidUnits } : {}),
    ...renewedAddons(term, commandId, { ...daysFrom, continued }),
    basis: {
      ...basis,
      ...daysFrom,
      ...(firstFull && { firstFull }),
      ...(continued ? carriedOverProration(state, renewal) : {}),
      ...ownStartAfter(term.basis, anchor),
    },
  };
}

/** Returns from when the next term counts days, where the term was charged for the day of its end, or by seconds for a part. */
function daysFromAfter(
  { end, basis }: Pick<Term, 'end' | 'basis'>,
  { zone, prorationBasis }: TermPricing,
  continued: Period | undefined,
): Pick<TermBasis, 'daysFrom'> {
  if (!isInsideLocalDay(end, basis.zone) || !isInsideLocalDay(end, zone)) return {};
  if (basis.prorationBasis === 'day') return { daysFrom: startOfNextLocalDay(end, zone) };
  return continued && prorationBasis === 'day' ? { daysFrom: end } : {};
}

/** Returns the start of the subscription where the anchor of its next term has another start. */
function ownStartAfter({ ownStart, anchor }: TermBasis, next: Anchor): Pick<TermBasis, 'ownStart'> {
  const began = ownStart ?? anchor.firstStart;
  return began === next.firstStart ? {} : { ownStart: began };
}

/**
 * Returns the anchor of the next term: the same one, or after a switch the new version's own
 * (docs/billing.md#plan-switches). In another zone it keeps its date.
 */
function anchorAfter(
  { renewal, term: { end, basis } }: Pick<TermState, 'renewal' | 'term'>,
  { version, zone }: TermPricing,
): Anchor {
  const { dayAnchor, monthAnchor } = version;
  const isSwitched = basis.continues !== undefined && !renewal;
  if (!isSwitched || (dayAnchor === null && monthAnchor === null)) {
    return zone === basis.zone ? basis.anchor : { firstZone: basis.zone, ...basis.anchor };
  }
  const own = anchorOf(end, zone, durationOf(version), dayAnchor, monthAnchor);
  return zone === basis.zone ? own : { ...own, firstZone: zone };
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

/** Returns the first full period of a term, if the next term continues it. */
const continuedFirstFull = (
  { basis: { firstFull } }: Pick<Term, 'basis'>,
  continued: Period | undefined,
): Period | undefined => (continued?.start === firstFull?.start ? firstFull : undefined);

/** Returns the proration that the next term continues. */
function carriedOverProration(state: TermState, { former }: RenewalPricing): Pick<TermBasis, 'continues'> {
  const continues = former && carriedOverAtRenewal(state, former);
  return continues ? { continues } : {};
}

/**
 * Returns the first period of a renewal, which ends at the next boundary. If the start was a boundary in the former
 * time zone and is none in the new one, the period is a full one that ends a whole interval later.
 * @returns `full`: the full period when it is not one of the anchor's
 */
function firstPeriodAfter(
  { end: start, basis }: Pick<Term, 'end' | 'basis'>,
  { version, zone }: TermPricing,
  anchor: Anchor,
): { readonly end: Instant; readonly full: Period | null } {
  const interval = durationOf(version);
  const isBoundaryIn = (where: string) => fullPeriodOf(start, where, interval, anchor).start === start;
  if (zone === basis.zone || !isBoundaryIn(basis.zone) || isBoundaryIn(zone)) {
    return { end: nextBoundary(start, zone, interval, anchor), full: null };
  }
  const full = renewalPeriod(start, zone, interval, anchor);
  return { end: full.end, full };
}

/**
 * Returns the prepaid units of a renewal: the latest units, else those of the new version, else 0. Setting a
 * replacement version that would lead to 0 is refused.
 */
const renewedUnits = (content: PriceContent, latest: readonly PrepaidUnits[]): PrepaidUnits[] =>
  unitsOf(content, latest, () => '0');

/** The part of a renewal's proration that its add-ons share. */
interface RenewedProration {
  /** The day that the renewal counts from, if that is not the day of its start. */
  readonly daysFrom?: Instant;
  /** The full period that the renewal continues, if it begins inside one. */
  readonly continued?: Period;
}

/** Makes the add-ons of a renewal; one_time add-ons end with their term (docs/billing.md#renewals). */
function renewedAddons(
  term: Pick<Term, 'addons' | 'end'>,
  commandId: Uuid,
  { daysFrom, continued }: RenewedProration,
): Pick<Term, 'addons'> {
  const addons = runningAddons(term)
    .filter(({ billingFrequency }) => billingFrequency === 'recurring')
    .map((ended) => {
      const { endMoved: _endMoved, daysFrom: _daysFrom, chargedSince: _chargedSince, ...addon } = ended;
      return {
        ...addon,
        addonSubscriptionId: derivedId(commandId, `addon ${addon.addonSubscriptionId}`),
        start: term.end,
        renewed: true,
        ...(daysFrom && { daysFrom }),
        ...(continued && { chargedSince: chargedSince(ended, continued) }),
      };
    });
  return addons.length > 0 ? { addons } : {};
}

/** Returns since when an add-on is charged in a full period. */
const chargedSince = (addon: TermAddon, { start }: Period): Instant =>
  addon.start < start ? start : (addon.chargedSince ?? addon.daysFrom ?? addon.start);
