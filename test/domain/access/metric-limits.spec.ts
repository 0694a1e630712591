import { describe, expect, it } from '@jest/globals';
import { allows, limitsOf } from '../../../src/access/domain/metric-limits.js';
import type { Tier } from '../../../src/pricing/tiers.js';
import { quantity, toDecimalText } from '../../../src/kernel/quantity.js';

const tier = (type: Tier['type'], rangeStart: string, rangeEnd: string | null): Tier => ({
  type,
  rangeStart,
  rangeEnd,
  costPerBatch: type === 'free' ? null : '10',
  unitsPerBatch: type === 'per_unit' ? '1' : null,
  rounding: type === 'per_unit' ? 'no_rounding' : null,
});
const shown = (...tiers: Tier[]) => {
  const { free, total } = limitsOf(tiers);
  return [free && toDecimalText(free), total && toDecimalText(total)];
};

describe('the limits of a metric', () => {
  it('are the end of what is free and the end of the last tier', () => {
    expect(shown(tier('free', '0', '1'), tier('per_unit', '1', '3'))).toEqual(['1', '3']);
    expect(shown(tier('free', '0', '20'))).toEqual(['20', '20']);
    expect(shown(tier('free', '0', '10'), tier('free', '10', '12.5'), tier('flat', '12.5', null))).toEqual([
      '12.5',
      null,
    ]);
  });

  it('an open last tier has no limit; open and free, nothing has', () => {
    expect(shown(tier('per_unit', '0', null))).toEqual(['0', null]);
    expect(shown(tier('free', '0', null))).toEqual([null, null]);
  });

  it('a plan that charges from the first unit gives none for free, whatever comes later', () => {
    expect(shown(tier('per_unit', '0', '5'), tier('free', '5', '9'))).toEqual(['0', '9']);
  });

  it('what was paid for beforehand costs nothing more and may be used', () => {
    const limits = (units: string, ...tiers: Tier[]) => {
      const { free, total } = limitsOf(tiers, quantity(units));
      return [free && toDecimalText(free), total && toDecimalText(total)];
    };
    const tiers = [tier('free', '0', '10'), tier('per_unit', '10', '30')];
    expect(limits('20', ...tiers)).toEqual(['20', '30']);
    expect(limits('5', ...tiers)).toEqual(['10', '30']);
    expect(limits('40', ...tiers)).toEqual(['40', '40']);
    expect(limits('40', tier('per_unit', '0', null))).toEqual(['40', null]);
    expect(limits('40', tier('free', '0', null))).toEqual([null, null]);
  });

  it('usage below the limit may go on, usage that has reached it may not', () => {
    const limits = limitsOf([tier('per_unit', '0', '0.3')]);
    expect(allows(limits, quantity('-1'))).toBe(true);
    expect(allows(limits, quantity('0.29999999999'))).toBe(true);
    expect(allows(limits, quantity('0.3'))).toBe(false);
    expect(allows(limitsOf([tier('per_unit', '0', null)]), quantity('1e300'))).toBe(true);
  });
});
