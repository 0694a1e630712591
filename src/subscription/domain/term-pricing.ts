import type { PriceContent } from '../../pricing/price-content.js';
import { POLICY } from '../../pricing/policy.js';
import type { Uuid } from '../../kernel/ids.js';
import { intervalOf, type Anchor, type Interval, type PlanDuration } from '../../kernel/period.js';
import type { TermBasis } from '../../pricing/term-basis.js';

/** Part of a plan version that a term is measured by. */
export interface PricedVersion {
  readonly planId: Uuid;
  readonly versionId: Uuid;
  readonly contentHash: string;
  readonly content: PriceContent;
  readonly duration: PlanDuration | null;
  readonly dayAnchor: number | null;
  readonly monthAnchor: number | null;
}

/** Values taken anew at every start of a term (docs/billing.md#terms-and-periods). */
export interface TermPricing {
  readonly offer: PricedVersion;
  /** IANA zone of the customer, else of the organization, else UTC. */
  readonly zone: string;
  readonly prorationBasis: TermBasis['prorationBasis'];
}

export function basisOf({ offer, zone, prorationBasis }: TermPricing, anchor: Anchor): TermBasis {
  return {
    planId: offer.planId,
    versionId: offer.versionId,
    contentHash: offer.contentHash,
    currency: offer.content.currency,
    zone,
    anchor,
    duration: durationOf(offer),
    prorationBasis,
    policy: POLICY,
  };
}

/** The plan's duration; without one the longest interval of its charges, else a month (docs/billing.md#terms-and-periods). */
export function durationOf({ duration, content }: Pick<PricedVersion, 'duration' | 'content'>): Interval {
  if (duration !== null) return intervalOf(duration);
  const intervals = [...content.recurringCharges, ...content.components]
    .flatMap((charge) => [charge.resetInterval, charge.invoicingInterval])
    .filter((interval) => interval !== null);
  return intervals.reduce<Interval | undefined>(longer, undefined) ?? { unit: 'month', count: 1 };
}

/** Days of an average Gregorian year, so that units can be compared; whole numbers keep 12 months equal to a year. */
const DAYS_IN_400_YEARS = { day: 4800, week: 7 * 4800, month: 146_097, year: 12 * 146_097 };

function longer(longest: Interval | undefined, interval: Interval): Interval {
  const length = ({ unit, count }: Interval) => DAYS_IN_400_YEARS[unit] * count;
  return longest && length(longest) >= length(interval) ? longest : interval;
}
