import { toJsonNumber } from '../../kernel/money.js';
import { exactText } from '../../kernel/quantity.js';
import type { PriceAllocation } from '../queries/price-allocations.js';
import type { Allocation } from '../queries/tax-allocations.js';
import { presentPeriod } from './present-calculation.js';

/** Presents the total that an adjustment is a share of, with the bases that it is shared by. */
export const presentAllocation = (allocation: Allocation | PriceAllocation | null) =>
  allocation && {
    total: toJsonNumber(allocation.total),
    base: toJsonNumber(allocation.base),
    own_base: toJsonNumber(allocation.ownBase),
    carried_back: 'carriedBack' in allocation ? toJsonNumber(allocation.carriedBack) : 0,
    lines: allocation.lines.map((index) => index + 1),
    of_period: 'ofPeriod' in allocation ? presentPeriodAdjustment(allocation.ofPeriod) : null,
  };

const presentPeriodAdjustment = ({ period, before, upTo, ...of }: PriceAllocation['ofPeriod']) => ({
  ...presentPeriod(period),
  full_interval: presentPeriod(period.full),
  rounded_before: exactText(before),
  rounded_up_to: exactText(upTo),
  amount: toJsonNumber(of.amount),
  base: toJsonNumber(of.base),
  adjusted: toJsonNumber(of.adjusted),
});
