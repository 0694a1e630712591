import { describe, expect, it } from '@jest/globals';
import { curveOf, type DrawnTier } from '../../../console/src/pages/invoices/tier-curve.js';

const tier = (fields: Partial<DrawnTier>): DrawnTier => ({
  type: 'per_unit',
  from: '0',
  to: null,
  unit_price: null,
  units_per_batch: null,
  rounding: null,
  flat_fee: null,
  ...fields,
});
const corners = (tiers: readonly DrawnTier[], most: number): string =>
  curveOf(tiers, most)
    .map(({ units, price }) => `${units}:${price}`)
    .join(' ');

describe('the drawn price of tiers', () => {
  it('is nothing in a free tier and rises by the price of each unit above it', () => {
    const tiers = [
      tier({ type: 'free', to: '100' }),
      tier({ from: '100', unit_price: '2', units_per_batch: '1', rounding: 'no_rounding' }),
    ];
    expect(corners(tiers, 150)).toBe('0:0 100:0 150:100');
  });

  it('jumps where a batch begins when batches are rounded up', () => {
    const tiers = [tier({ unit_price: '5', units_per_batch: '10', rounding: 'round_up' })];
    expect(corners(tiers, 20)).toBe('0:0 0:0 0:5 10:5 10:10 20:10');
  });

  it('jumps where a batch is full when batches are rounded down', () => {
    const tiers = [tier({ unit_price: '5', units_per_batch: '10', rounding: 'round_down' })];
    expect(corners(tiers, 25)).toBe('0:0 10:0 10:5 20:5 20:10 25:10');
  });

  it('is the fee of a flat tier as soon as its range begins', () => {
    const tiers = [
      tier({ type: 'free', to: '10' }),
      tier({ type: 'flat', from: '10', to: '20', flat_fee: '7' }),
    ];
    expect(corners(tiers, 20)).toBe('0:0 10:0 10:7 20:7');
  });

  it('ends at the quantity, also in the middle of a tier', () => {
    const tiers = [
      tier({ to: '10', unit_price: '1', units_per_batch: '1', rounding: 'no_rounding' }),
      tier({ from: '10', unit_price: '9', units_per_batch: '1', rounding: 'no_rounding' }),
    ];
    expect(corners(tiers, 5)).toBe('0:0 5:5');
  });
});
