import { periodBasisOf, type PriceContent, type TermBasis } from '../../pricing/price-content.js';
import { pricingPolicyOf } from '../../pricing/pricing-policy.js';
import type { Term, TermAddon } from '../../subscription/domain/events.js';

/**
 * Returns what an add-on is priced by: the periods, anchor and zone of its term, its own prices, and what its own start
 * decides (docs/billing.md#add-ons).
 */
export function addonBasis(
  addon: TermAddon,
  term: Pick<Term, 'start' | 'basis'>,
  content: PriceContent,
): TermBasis {
  const { continues: _continues, daysFrom: _daysFrom, ...basis } = periodBasisOf(term);
  const { contentHash, daysFrom } = addon;
  return {
    ...basis,
    contentHash,
    ...(daysFrom && { daysFrom }),
    ...ownStartOf(addon, basis),
    ...carriedOver(addon, content, basis),
  };
}

/** Returns the start that the rates of an add-on look back to, if it is not that of its term. */
export const ownStartOf = (
  { ownStart }: TermAddon,
  { policy }: Pick<TermBasis, 'policy'>,
): Pick<TermBasis, 'ownStart'> =>
  ownStart === undefined || pricingPolicyOf(policy).term.separateUsageCutsAddonRates ? {} : { ownStart };

/** Returns the proration that a renewal inside a billing period carries over for an add-on. */
function carriedOver(
  { start, chargedSince: since }: TermAddon,
  { recurringCharges }: PriceContent,
  { policy }: Pick<TermBasis, 'policy'>,
): Pick<TermBasis, 'continues'> {
  if (!since || pricingPolicyOf(policy).term.roundsUnitsAndAddonsSeparately) return {};
  const fees = recurringCharges
    .filter(({ behavior, resetInterval }) => behavior === 'prorate' && resetInterval === null)
    .map(({ amount, resetInterval }) => ({ amount, resetInterval, since }));
  return {
    continues: { termStart: start, periodStart: start, billedAt: start, fees, adjustment: null, usage: [] },
  };
}
