import { describe, expect, it } from '@jest/globals';
import { pricedTiers } from '../../src/billing/pdf/priced-tiers.js';
import { fromExact } from '../../src/kernel/money.js';
import { quantity } from '../../src/kernel/quantity.js';
import type { PlanComponent } from '../../src/pricing/price-content.js';
import { tierRows } from '../../src/pricing/tier-rows.js';
import { priceByTiers, type Tier } from '../../src/pricing/tiers.js';

/** As many as a component may have. */
const COUNT = 500;
const UNITS = String(COUNT * 10);

/** Tiers that count how often their starts are read. */
function countedTiers(): { readonly tiers: readonly Tier[]; readonly reads: () => number } {
  let reads = 0;
  const tiers = Array.from({ length: COUNT }, (_, index): Tier => ({
    type: 'per_unit',
    get rangeStart() {
      reads += 1;
      return String(index * 10);
    },
    rangeEnd: index === COUNT - 1 ? null : String((index + 1) * 10),
    costPerBatch: '0.01',
    unitsPerBatch: null,
    rounding: null,
  }));
  return { tiers, reads: () => reads };
}

describe('a price of five hundred tiers', () => {
  it('is split into rows by reading each tier a few times, not once for every other', () => {
    const { tiers, reads } = countedTiers();
    const rows = tierRows(tiers, quantity(UNITS), false);
    expect(rows).toHaveLength(COUNT);
    expect(reads()).toBeLessThanOrEqual(4 * COUNT);
  });

  it('is written on a document in the same way', () => {
    const { tiers, reads } = countedTiers();
    const base = fromExact(priceByTiers(tiers, quantity(UNITS), false), 'EUR');
    const shown = pricedTiers({ tiers, volume: false } as unknown as PlanComponent, UNITS, base, 'EUR');
    expect(shown!.map(({ amount }) => amount)).toEqual(Array.from({ length: COUNT }, () => '0.1'));
    expect(reads()).toBeLessThanOrEqual(4 * COUNT);
  });
});
