import { toJsonNumber } from '../../kernel/money.js';
import type { Allocation } from '../queries/tax-allocations.js';

/** Presents the total that an adjustment is a share of, with the bases that it is shared by. */
export const presentAllocation = (allocation: Allocation | null) =>
  allocation && {
    total: toJsonNumber(allocation.total),
    base: toJsonNumber(allocation.base),
    own_base: toJsonNumber(allocation.ownBase),
    lines: allocation.lines.map((index) => index + 1),
  };
