import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ZERO, add, exactText, quantity } from '../../src/kernel/quantity.js';
import { tierRows } from '../../src/pricing/tier-rows.js';
import { priceByTiers, type Tier } from '../../src/pricing/tiers.js';

/** Contiguous tiers, each starting 0 or 1 above the end before it, the last open or not. */
const someTiers = fc
  .tuple(
    fc.array(
      fc.record({
        type: fc.constantFrom<Tier['type']>('flat', 'per_unit', 'free'),
        size: fc.integer({ min: 1, max: 50 }),
        isOneAbove: fc.boolean(),
        cost: fc.constantFrom('0', '0.5', '3', '0.0001'),
        batch: fc.constantFrom('1', '3', '1000', null),
        rounding: fc.constantFrom<Tier['rounding']>(
          'round_up',
          'round_down',
          'round_nearest',
          'no_rounding',
          null,
        ),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    fc.boolean(),
  )
  .map(([parts, isOpen]) => {
    let end = 0;
    return parts.map(({ type, size, isOneAbove, cost, batch, rounding }, index): Tier => {
      const start = index > 0 && isOneAbove ? end + 1 : end;
      end = start + size;
      return {
        type,
        rounding,
        costPerBatch: cost,
        unitsPerBatch: batch,
        rangeStart: String(start),
        rangeEnd: isOpen && index === parts.length - 1 ? null : String(end),
      };
    });
  });

describe('the rows of a price by tier', () => {
  it('sum to the price, and their units to the quantity that graduated tiers price', () => {
    fc.assert(
      fc.property(someTiers, fc.integer({ min: -5, max: 3000 }), fc.boolean(), (tiers, tenths, volume) => {
        const q = quantity(String(tenths / 10));
        const rows = tierRows(tiers, q, volume);
        expect(rows).toHaveLength(tiers.length);
        const amount = rows.map((row) => row.amount).reduce(add, ZERO);
        expect(exactText(amount)).toBe(exactText(priceByTiers(tiers, q, volume)));
        const units = exactText(rows.map((row) => row.units).reduce(add, ZERO));
        const isWhole = volume || tiers.at(-1)!.rangeEnd === null;
        if (isWhole) expect(units).toBe(tenths < 0 ? '0' : exactText(q));
      }),
    );
  });

  it('show the batches that were charged', () => {
    const tier: Tier = {
      type: 'per_unit',
      rangeStart: '0',
      rangeEnd: null,
      costPerBatch: '2',
      unitsPerBatch: '10',
      rounding: 'round_up',
    };
    const [row] = tierRows([tier], quantity('11'), false);
    expect([row!.batches, row!.units, row!.amount].map((value) => exactText(value!))).toEqual([
      '2',
      '11',
      '4',
    ]);
  });
});
