import { describe, expect, it } from '@jest/globals';
import { priceByTiers } from '../../src/pricing/tiers.js';
import type { BatchRounding, Tier } from '../../src/pricing/tiers.js';
import { exactDecimalText, quantity, ratio } from '../../src/kernel/quantity.js';

const free = (rangeStart: string, rangeEnd: string | null): Tier => ({
  type: 'free',
  rangeStart,
  rangeEnd,
  costPerBatch: null,
  unitsPerBatch: null,
  rounding: null,
});
const flat = (rangeStart: string, rangeEnd: string | null, costPerBatch: string): Tier => ({
  ...free(rangeStart, rangeEnd),
  type: 'flat',
  costPerBatch,
});
const perUnit = (
  rangeStart: string,
  rangeEnd: string | null,
  costPerBatch: string,
  unitsPerBatch: string | null = null,
  rounding: BatchRounding | null = null,
): Tier => ({ ...flat(rangeStart, rangeEnd, costPerBatch), type: 'per_unit', unitsPerBatch, rounding });

const amounts = (tiers: Tier[], quantities: string[], volume = false): string[] =>
  quantities.map((q) => exactDecimalText(priceByTiers(tiers, quantity(q), volume)));

describe('tiers, each for the part of the quantity inside it (docs/billing.md#tiers)', () => {
  it('leave a quantity on a boundary to the tier that ends there', () => {
    const tiers = [free('0', '50'), perUnit('50', null, '5', '100')];
    expect(amounts(tiers, ['0', '50', '51', '150', '1018'])).toEqual(['0', '0', '0.05', '5', '48.4']);
  });

  it.each([
    ['round_up', ['0', '5', '5', '10', '10']],
    ['round_down', ['0', '0', '0', '5', '5']],
    ['round_nearest', ['0', '0', '5', '5', '10']],
    ['no_rounding', ['0', '0.05', '2.5', '5.05', '7.5']],
    [null, ['0', '0.05', '2.5', '5.05', '7.5']],
  ] as const)('round the batches of a tier by %s', (rounding, expected) => {
    const tiers = [free('0', '50'), perUnit('50', null, '5', '100', rounding)];
    expect(amounts(tiers, ['50', '51', '100', '151', '200'])).toEqual(expected);
  });

  it('count batches in decimals: 0.07 in batches of 0.01 are 7', () => {
    expect(amounts([perUnit('0', null, '1', '0.01', 'round_up')], ['0.07'])).toEqual(['7']);
    expect(amounts([perUnit('0', null, '1', '0.1', 'round_up')], ['0.1'])).toEqual(['1']);
    expect(amounts([perUnit('0', null, '1', '0.1', 'round_down')], ['0.3'])).toEqual(['3']);
  });

  it('round inside each tier, not over the total', () => {
    const tiers = [perUnit('0', '100', '1', '30', 'round_up'), perUnit('100', null, '1', '30', 'round_up')];
    expect(amounts(tiers, ['100', '101'])).toEqual(['4', '5']);
  });

  it('cost a flat tier once it is passed into, and at once when it starts at 0', () => {
    const tiers = [flat('0', '5', '100'), flat('5', null, '50')];
    expect(amounts(tiers, ['0', '5', '5.01', '1000'])).toEqual(['100', '100', '150', '150']);
  });

  it('take a flat tier of no width as the entry fee of the next', () => {
    const tiers = [
      flat('0', '0', '2'),
      perUnit('0', '10', '10'),
      flat('10', '10', '3'),
      perUnit('10', null, '5'),
    ];
    expect(amounts(tiers, ['0', '10', '11'])).toEqual(['2', '102', '110']);
  });

  it('read a gap of exactly one as none, for every rule', () => {
    const tiers = [perUnit('0', '10', '1'), flat('11', '20', '7'), perUnit('21', null, '2')];
    expect(amounts(tiers, ['10', '10.5', '20', '20.5'])).toEqual(['10', '17', '17', '18']);
    const fractions = [perUnit('0', '0.5', '1'), perUnit('1.5', null, '2')];
    expect(amounts(fractions, ['1'])).toEqual(['1.5']);
  });

  it('do not charge above a closed last tier', () => {
    expect(amounts([perUnit('0', '10', '1')], ['10', '11', '1000000'])).toEqual(['10', '10', '10']);
  });

  it('take a negative quantity as 0', () => {
    expect(amounts([flat('0', '5', '2'), perUnit('5', null, '1')], ['-3'])).toEqual(['2']);
    expect(amounts([perUnit('0', null, '1')], ['-3'])).toEqual(['0']);
    expect(amounts([perUnit('0', null, '1')], ['-3'], true)).toEqual(['0']);
  });

  it('are exact before rounding', () => {
    const tiers = [perUnit('0', null, '0.0000001', '3')];
    expect(priceByTiers(tiers, quantity('1'), false)).toEqual(ratio(1n, 30_000_000n));
  });
});

describe('volume pricing: one tier prices the whole quantity (docs/billing.md#tiers)', () => {
  const tiers = [
    free('0', '50'),
    perUnit('50', '100', '0.01'),
    perUnit('101', '200', '0.05'),
    perUnit('200', '300', '0.10'),
  ];

  it('is that of the tier with start < quantity <= end', () => {
    expect(amounts(tiers, ['0', '50', '51', '100', '100.5', '101', '200', '200.01'], true)).toEqual([
      '0',
      '0',
      '0.51',
      '1',
      '5.025',
      '5.05',
      '10',
      '20.001',
    ]);
  });

  it('keeps the last price above a closed last tier', () => {
    expect(amounts(tiers, ['300', '301'], true)).toEqual(['30', '30.1']);
    expect(amounts([perUnit('0', '5', '1'), flat('5', '10', '7')], ['11'], true)).toEqual(['7']);
    expect(amounts([perUnit('0', '5', '1'), free('5', '10')], ['11'], true)).toEqual(['0']);
  });

  it('costs a flat tier once, and finds quantity 0 in the first tier', () => {
    const flats = [flat('0', '5', '100'), flat('5', '10', '150'), perUnit('10', null, '5')];
    expect(amounts(flats, ['-1', '0', '5', '6', '16'], true)).toEqual(['100', '100', '100', '150', '80']);
  });

  it('rounds the batches of the whole quantity', () => {
    expect(
      amounts(
        [perUnit('0', '10', '1', '3', 'round_up'), perUnit('10', null, '1', '4', 'round_up')],
        ['10', '11'],
        true,
      ),
    ).toEqual(['4', '3']);
  });
});
