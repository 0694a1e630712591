import { describe, expect, it } from '@jest/globals';
import { checkTiers, type TierFault, type Tier } from '../../src/pricing/tiers.js';

const tier = (
  type: Tier['type'],
  rangeStart: string,
  rangeEnd: string | null,
  rest: Partial<Tier> = {},
): Tier => ({
  type,
  rangeStart,
  rangeEnd,
  costPerBatch: type === 'free' ? null : '1',
  unitsPerBatch: null,
  rounding: null,
  ...rest,
});

const faults = (tiers: Tier[], volume = false) =>
  checkTiers(tiers, volume).map(({ index, field, code }) => `${index}.${field} ${code}`);

const expectSentences = (found: readonly TierFault[]) => {
  for (const { detail } of found) expect(detail).toMatch(/^[A-Z].*\.$/);
};

describe('tiers that may price a component', () => {
  it.each([
    ['one open tier', [tier('per_unit', '0', null)]],
    ['contiguous tiers', [tier('free', '0', '50'), tier('per_unit', '50', '100'), tier('flat', '100', null)]],
    ['a gap of exactly one', [tier('free', '0', '50'), tier('per_unit', '51', null)]],
    ['a closed last tier', [tier('per_unit', '0', '10')]],
    ['an entry fee', [tier('flat', '0', '0'), tier('per_unit', '0', null)]],
    ['a price of 0', [tier('per_unit', '0', null, { costPerBatch: '0' })]],
    ['a flat tier without units', [tier('flat', '0', null, { unitsPerBatch: '0' })]],
  ])('have %s', (_, tiers) => expect(faults(tiers)).toEqual([]));
});

describe('tiers that may not', () => {
  it.each([
    ['a first that does not start at 0', [tier('per_unit', '1', null)], ['0.range_start invalid']],
    ['a gap of two', [tier('free', '0', '3'), tier('per_unit', '5', null)], ['1.range_start invalid']],
    [
      'a gap of less than one',
      [tier('free', '0', '3'), tier('per_unit', '3.5', null)],
      ['1.range_start invalid'],
    ],
    ['an overlap', [tier('free', '0', '3'), tier('per_unit', '2', null)], ['1.range_start invalid']],
    [
      'an open one before the last',
      [tier('free', '0', null), tier('per_unit', '5', null)],
      ['0.range_end invalid'],
    ],
    ['an end below the start', [tier('free', '0', '5'), tier('per_unit', '5', '4')], ['1.range_end invalid']],
    ['no cost', [tier('per_unit', '0', null, { costPerBatch: null })], ['0.cost_per_batch required']],
    ['a cost below 0', [tier('flat', '0', null, { costPerBatch: '-0.01' })], ['0.cost_per_batch min_value']],
    [
      'empty batches',
      [tier('per_unit', '0', null, { unitsPerBatch: '0' })],
      ['0.metric_units_per_batch min_value'],
    ],
  ])('have %s', (_, tiers, expected) => {
    expect(faults(tiers)).toEqual(expected);
    expectSentences(checkTiers(tiers, false));
  });

  it('combine an entry fee with bulk pricing', () => {
    const tiers = [tier('flat', '0', '0'), tier('per_unit', '0', null)];
    expect(faults(tiers, true)).toEqual(['0.range_end invalid']);
    expectSentences(checkTiers(tiers, true));
    // Neither a tier of zero width with a price per unit nor an unbounded flat tier is an entry fee.
    expect(faults([tier('per_unit', '0', '0'), tier('flat', '0', null)], true)).toEqual([]);
  });

  it('are all named, each in a sentence', () => {
    const tiers = [tier('per_unit', '1', null, { costPerBatch: '-1' }), tier('free', '9', '8')];
    expect(faults(tiers)).toEqual([
      '0.range_start invalid',
      '0.range_end invalid',
      '0.cost_per_batch min_value',
      '1.range_end invalid',
    ]);
    expectSentences(checkTiers(tiers, false));
  });
});
