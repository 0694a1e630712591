import type { Tier } from '../../pricing/tiers.js';
import type { Interval } from '../../kernel/period.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Metric } from './metric.js';
import type {
  PlanComponent,
  PriceAdjustment,
  PriceContent,
  RecurringCharge,
} from '../../pricing/price-content.js';

/** Prices proposed for a version, each field checked; numbers are decimal text in one spelling. */
export interface PriceProposal {
  readonly currency: string;
  readonly recurringCharges: readonly RecurringCharge[];
  readonly components: readonly ComponentProposal[];
  readonly priceAdjustment: PriceAdjustment | null;
}

export interface ComponentProposal {
  readonly metricId: Uuid;
  readonly tiers: readonly Tier[];
  readonly volume: boolean;
  readonly invoicingInterval: Interval | null;
  readonly resetInterval: Interval | null;
  readonly prepaid: PlanComponent['prepaid'];
}

/**
 * Returns the price content to hash. It leaves out fields without a meaning and fills in defaults, so that equal prices have
 * equal hashes.
 * @param metrics every metric that a component names
 */
export function priceContent(proposal: PriceProposal, metrics: ReadonlyMap<Uuid, Metric>): PriceContent {
  return {
    currency: proposal.currency,
    recurringCharges: proposal.recurringCharges,
    components: proposal.components.map(({ metricId, tiers, ...rest }) => {
      const metric = metrics.get(metricId)!;
      return {
        metricId,
        metricName: metric.name,
        metric: metric.definition,
        metricHash: metric.definitionHash,
        tiers: tiers.map(settleTier),
        ...rest,
      };
    }),
    priceAdjustment: proposal.priceAdjustment,
  };
}

function settleTier(tier: Tier): Tier {
  switch (tier.type) {
    case 'free':
      return { ...tier, costPerBatch: null, unitsPerBatch: null, rounding: null };
    case 'flat':
      return { ...tier, unitsPerBatch: null, rounding: null };
    case 'per_unit':
      return { ...tier, unitsPerBatch: tier.unitsPerBatch ?? '1', rounding: tier.rounding ?? 'no_rounding' };
  }
}
