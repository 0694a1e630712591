import { describe, expect, it } from '@jest/globals';
import { priceByTiers, type Tier, checkTiers } from '../../src/pricing/tiers.js';
import { fromExact, toDecimal } from '../../src/kernel/money.js';
import { quantity } from '../../src/kernel/quantity.js';
import { caseOf, modelsOf, reference } from './cases.js';
import type { Model } from './cases.js';
import type { PartialTier } from '../calculator/golden-history.js';
import { tierOf } from '../support/engine/engine-content.js';
import { tiersInWords } from './tiers-in-words.js';

interface RateModel extends Model {
  readonly kind: 'rate';
  readonly bulk_pricing_enabled: boolean;
  readonly tiers?: readonly PartialTier[];
  readonly either_tiers?: readonly (readonly PartialTier[])[];
  readonly points: readonly (readonly [string, string])[];
}

const amount = (tiers: readonly Tier[], q: string, volume: boolean): string =>
  toDecimal(fromExact(priceByTiers(tiers, quantity(q), volume), 'USD'));
const cents = (text: string): string => toDecimal(fromExact(quantity(text), 'USD'));

describe('golden cases: rating', () => {
  const models = modelsOf<RateModel>('rate');

  it.each(models)('$id', ({ model }) => {
    const notations = model.either_tiers ?? [model.tiers!];
    for (const tiers of notations.map((wire) => wire.map(tierOf))) {
      expect(checkTiers(tiers, model.bulk_pricing_enabled)).toEqual([]);
      const rated = model.points.map(([q]) => [q, amount(tiers, q, model.bulk_pricing_enabled)]);
      expect(rated).toEqual(model.points.map(([q, text]) => [q, cents(text)]));
    }
  });

  it('are all there', () => expect(models).toHaveLength(31));
});

describe('golden cases: tiers of the interface', () => {
  const cases = reference.filter(({ area }) => area === 'tiers');
  const points = cases.filter((golden) => golden.expect && 'points' in golden.expect);

  it.each(points)('$id', ({ id, expect: expected }) => {
    const { tiers, volume } = tiersInWords[id]!;
    const rows = expected!.points as [string, string][];
    expect(checkTiers(tiers, volume)).toEqual([]);
    expect(rows.map(([q]) => [q, amount(tiers, q, volume)])).toEqual(
      rows.map(([q, text]) => [q, cents(text)]),
    );
  });

  it('tier-bulk-200-boundary', () => {
    const { tiers } = tiersInWords['tier-bulk-200-boundary']!;
    const { nobulk, bulk } = caseOf('tier-bulk-200-boundary').expect!;
    expect([amount(tiers, '200', false), amount(tiers, '200', true)]).toEqual([nobulk, bulk]);
  });

  it('are all restated', () =>
    expect(Object.keys(tiersInWords).sort()).toEqual(cases.map(({ id }) => id).sort()));
});

describe('golden cases: tiers that are refused', () => {
  const perUnit = (rangeStart: string, rangeEnd: string | null): Tier =>
    tierOf({
      type: 'per_unit',
      range_start: rangeStart,
      range_end: rangeEnd,
      cost_per_batch: '1',
      metric_units_per_batch: '1',
      batch_rounding_type: null,
    });

  it.each([
    ['tier-invalid-start-not-zero', [perUnit('1', null)]],
    ['tier-invalid-gap-two', [{ ...perUnit('0', '3'), type: 'free' as const }, perUnit('5', null)]],
    ['tier-invalid-open-in-middle', [{ ...perUnit('0', null), type: 'free' as const }, perUnit('5', null)]],
  ])('%s', (id, tiers) => {
    expect(checkTiers(tiers, false).map(({ code }) => code)).toEqual([caseOf(id).expect!.title]);
  });
});
