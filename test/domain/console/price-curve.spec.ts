import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { curveOf, type CurvePoint } from '../../../console/src/pricing/price-curve.js';
import { priceOf, pricesOfComponent, pricesOfStep } from '../../../console/src/pricing/tier-prices.js';
import { quantity, toDecimalText } from '../../../src/kernel/quantity.js';
import { priceByTiers, type Tier } from '../../../src/pricing/tiers.js';

const tier = (fields: Partial<Tier>): Tier => ({
  type: 'per_unit',
  rangeStart: '0',
  rangeEnd: null,
  costPerBatch: null,
  unitsPerBatch: null,
  rounding: null,
  ...fields,
});

/** Tiers with few batches, so that every step is drawn. */
const tierLists: fc.Arbitrary<Tier[]> = fc
  .array(
    fc.record({
      type: fc.constantFrom('flat' as const, 'per_unit' as const, 'free' as const),
      length: fc.integer({ min: 1, max: 200 }),
      gap: fc.constantFrom(0, 1),
      cost: fc.integer({ min: 0, max: 99_999 }),
      batch: fc.constantFrom('10', '12.5', '100'),
      rounding: fc.constantFrom('round_up', 'round_down', 'round_nearest', 'no_rounding', null),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => {
    let end = 0;
    return parts.map(({ type, length, gap, cost, batch, rounding }, index): Tier => {
      const start = index === 0 ? 0 : end + gap;
      end = start + length;
      return tier({
        type,
        rangeStart: String(start),
        rangeEnd: index === parts.length - 1 ? null : String(end),
        costPerBatch: type === 'free' ? null : String(cost / 1000),
        ...(type === 'per_unit' ? { unitsPerBatch: batch, rounding } : {}),
      });
    });
  });

/** Returns the two points around a quantity, which are equal if the quantity is on a point. */
function around(points: readonly CurvePoint[], units: number): [CurvePoint, CurvePoint] {
  const after = points.findIndex((point) => point.units >= units);
  return [points[Math.max(after - 1, 0)]!, points[after]!];
}

describe('the drawn price of tiers', () => {
  it.each([false, true])('is the billed price at every quantity; bulk pricing: %s', (isBulk) => {
    fc.assert(
      fc.property(tierLists, fc.integer({ min: 0, max: 500 }), (tiers, units) => {
        const [left, right] = around(curveOf({ tiers, isBulk }, 500), units);
        const billed = Number(toDecimalText(priceByTiers(tiers, quantity(String(units)), isBulk)));
        const span = right.units - left.units;
        const share = span === 0 ? 1 : (units - left.units) / span;
        const drawn = left.price + share * (right.price - left.price);
        expect(drawn).toBeCloseTo(billed, 3);
      }),
    );
  });

  it('has an upright step where a batch begins', () => {
    const tiers = [tier({ costPerBatch: '5', unitsPerBatch: '10', rounding: 'round_up' })];
    const points = curveOf({ tiers, isBulk: false }, 20).map(
      ({ units, price }) => `${units.toFixed(2)}:${price}`,
    );
    expect([...new Set(points)]).toEqual(['0.00:0', '0.00:5', '10.00:5', '10.00:10', '20.00:10']);
  });
});

describe('the price that the console calculates', () => {
  const wire = {
    type: 'per_unit' as const,
    range_start: 0,
    range_end: null,
    cost_per_batch: 0.0125,
    metric_units_per_batch: 3,
    batch_rounding_type: 'round_up' as const,
  };

  it('is the price that the service bills for the tiers of a plan and of a line', () => {
    const billed = [tier({ costPerBatch: '0.0125', unitsPerBatch: '3', rounding: 'round_up' })];
    expect(pricesOfComponent({ tiers: [wire], bulk_pricing_enabled: true })).toEqual({
      tiers: billed,
      isBulk: true,
    });
    const line = { ...wire, from: '0', to: null, unit_price: '0.0125', units_per_batch: '3', flat_fee: null };
    const calculated = { ...line, rounding: 'round_up', tier: 1, units: '7', batches: '3', amount: '0.0375' };
    const prices = pricesOfStep({ tiers: [calculated], bulk_pricing_enabled: false });
    expect(prices).toEqual({ tiers: billed, isBulk: false });
    expect(priceOf(prices, '7', 4)).toBe(toDecimalText(priceByTiers(billed, quantity('7'), false), 4));
  });

  it('of a text that is no quantity is none', () => {
    const prices = { tiers: [tier({ type: 'flat', costPerBatch: '5' })], isBulk: false };
    expect(['', '-1', '1,5', 'a lot', '1e9999'].map((text) => priceOf(prices, text, 2))).toEqual(
      Array(5).fill(undefined),
    );
    expect(priceOf(prices, '1e3', 0)).toBe('5');
  });
});
