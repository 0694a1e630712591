import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkTiers, priceByTiers, type BatchRounding, type Tier } from '../../src/pricing/tiers.js';
import {
  compareQuantities,
  exactDecimalText,
  quantity,
  ratio,
  toDecimalText,
} from '../../src/kernel/quantity.js';
import { quantities } from './arbitraries.js';

const roundings = fc.constantFrom<BatchRounding | null>(
  'round_up',
  'round_down',
  'round_nearest',
  'no_rounding',
  null,
);

interface Drawn {
  readonly width: number;
  readonly tier: Pick<Tier, 'type' | 'costPerBatch' | 'unitsPerBatch' | 'rounding'>;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  width: fc.integer({ min: 2, max: 500 }),
  tier: fc.record({
    type: fc.constantFrom('free' as const, 'flat' as const, 'per_unit' as const),
    costPerBatch: fc.integer({ min: 0, max: 5000 }).map((cents) => exactDecimalText(quantity(`${cents}e-2`))),
    unitsPerBatch: fc.option(fc.integer({ min: 1, max: 100 }).map(String)),
    rounding: roundings,
  }),
});

/** Returns ascending tiers, written contiguously or in integer notation with gaps of one. */
function written(list: readonly Drawn[], open: boolean, gap: number): Tier[] {
  let end = 0;
  return list.map(({ width, tier }, index) => {
    const rangeStart = String(index === 0 ? 0 : end + gap);
    end += width;
    return { ...tier, rangeStart, rangeEnd: open && index === list.length - 1 ? null : String(end) };
  });
}

const lists = fc.array(drawn, { minLength: 1, maxLength: 5 });

/** Rates a quantity (docs/billing.md#tiers) in plain numbers: exact enough for whole units and cents. */
function naive(tiers: readonly Tier[], q: number): number {
  const batchesOf = (units: number, { unitsPerBatch, rounding }: Tier): number => {
    const exact = units / Number(unitsPerBatch ?? 1);
    if (rounding === 'round_up') return Math.ceil(exact);
    if (rounding === 'round_down') return Math.floor(exact);
    return rounding === 'round_nearest' ? Math.round(exact) : exact;
  };
  return tiers.reduce((total, tier) => {
    const start = Number(tier.rangeStart);
    const end = tier.rangeEnd === null ? Infinity : Number(tier.rangeEnd);
    const cost = Number(tier.costPerBatch);
    if (tier.type === 'flat') return total + (q > start || start === 0 ? cost : 0);
    if (tier.type === 'free' || q <= start) return total;
    return total + batchesOf(Math.min(q, end) - start, tier) * cost;
  }, 0);
}

describe('laws of rating (docs/billing.md#tiers)', () => {
  it('valid tiers are valid in both notations', () => {
    fc.assert(
      fc.property(lists, fc.boolean(), fc.constantFrom(0, 1), fc.boolean(), (list, open, gap, volume) => {
        expect(checkTiers(written(list, open, gap), volume)).toEqual([]);
      }),
    );
  });

  it('both notations cost the same, whatever the quantity', () => {
    fc.assert(
      fc.property(lists, fc.boolean(), fc.boolean(), quantities, (list, open, volume, q) => {
        expect(priceByTiers(written(list, open, 1), q, volume)).toEqual(
          priceByTiers(written(list, open, 0), q, volume),
        );
      }),
    );
  });

  it('more usage never costs less, tier by tier', () => {
    fc.assert(
      fc.property(lists, fc.boolean(), quantities, quantities, (list, open, a, b) => {
        const tiers = written(list, open, 0);
        const order = compareQuantities(a, b);
        const amounts = compareQuantities(priceByTiers(tiers, a, false), priceByTiers(tiers, b, false));
        expect(order * amounts).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('agrees with a naive calculator', () => {
    fc.assert(
      fc.property(lists, fc.boolean(), fc.nat({ max: 3000 }), (list, open, units) => {
        const tiers = written(list, open, 0);
        const exact = priceByTiers(tiers, ratio(BigInt(units), 1n), false);
        expect(Number(toDecimalText(exact))).toBeCloseTo(naive(tiers, units), 6);
      }),
    );
  });

  it('with one tier there is no difference between volume and graduated', () => {
    fc.assert(
      fc.property(drawn, quantities, (only, q) => {
        const tiers = written([only], true, 0);
        expect(priceByTiers(tiers, q, true)).toEqual(priceByTiers(tiers, q, false));
      }),
    );
  });
});
