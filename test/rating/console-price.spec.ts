import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { priceOf, type Tier as WireTier } from '../../console/src/pages/plans/price-of.js';
import { multiply, quantity, ratio, roundHalfAwayFromZero } from '../../src/kernel/quantity.js';
import { rate, type Tier } from '../../src/pricing/tiers.js';

const DIGITS = 2;

const wire = (tier: Tier): WireTier => ({
  type: tier.type,
  range_start: Number(tier.rangeStart),
  range_end: tier.rangeEnd === null ? null : Number(tier.rangeEnd),
  cost_per_batch: tier.costPerBatch === null ? null : Number(tier.costPerBatch),
  metric_units_per_batch: tier.unitsPerBatch === null ? null : Number(tier.unitsPerBatch),
  batch_rounding_type: tier.rounding,
});

const tierLists: fc.Arbitrary<Tier[]> = fc
  .array(
    fc.record({
      type: fc.constantFrom('flat' as const, 'per_unit' as const, 'free' as const),
      length: fc.integer({ min: 1, max: 500 }),
      gap: fc.constantFrom(0, 1),
      cost: fc.integer({ min: 0, max: 99_999 }),
      batch: fc.constantFrom('1', '3', '0.5', '100'),
      rounding: fc.constantFrom('round_up', 'round_down', 'round_nearest', 'no_rounding', null),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => {
    let end = 0;
    return parts.map(({ type, length, gap, cost, batch, rounding }, index): Tier => {
      const start = index === 0 ? 0 : end + gap;
      end = start + length;
      return {
        type,
        rangeStart: String(start),
        rangeEnd: index === parts.length - 1 ? null : String(end),
        costPerBatch: type === 'free' ? null : String(cost / 1000),
        unitsPerBatch: type === 'per_unit' ? batch : null,
        rounding: type === 'per_unit' ? rounding : null,
      };
    });
  });

const quantities = fc.oneof(
  fc.integer({ min: 0, max: 3000 }).map(String),
  fc.integer({ min: 0, max: 3_000_000 }).map((n) => String(n / 1000)),
);

describe('the price that the console calculates', () => {
  it.each(['graduated', 'volume'] as const)('is the price that the service bills, %s', (pricing) => {
    fc.assert(
      fc.property(tierLists, quantities, (tiers, used) => {
        const billed = rate(tiers, quantity(used), pricing === 'volume');
        const cents = roundHalfAwayFromZero(multiply(billed, ratio(10n ** BigInt(DIGITS), 1n)));
        const shown = priceOf(tiers.map(wire), used, pricing, DIGITS)!;
        expect(BigInt(shown.replace('.', ''))).toBe(cents);
      }),
    );
  });

  it('of a text that is no quantity is none', () => {
    const tiers = [
      wire({
        type: 'flat',
        rangeStart: '0',
        rangeEnd: null,
        costPerBatch: '5',
        unitsPerBatch: null,
        rounding: null,
      }),
    ];
    expect(['', '-1', '1,5', 'a lot', '1e9999'].map((text) => priceOf(tiers, text, 'graduated', 2))).toEqual(
      Array(5).fill(undefined),
    );
    expect(priceOf(tiers, '1e3', 'graduated', 0)).toBe('5');
  });
});
