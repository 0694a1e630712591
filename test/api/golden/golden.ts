import { it } from '@jest/globals';
import { caseOf, type GoldenCase } from '../../golden/cases.js';

/** Tests a golden case over HTTP. `expect` of the case has its figures. */
export function golden(id: string, prove: (worked: GoldenCase) => Promise<void>): void {
  const worked = caseOf(id);
  it(`${id}: ${worked.then}`, () => prove(worked));
}

/** Returns a tier with this price per unit, from a quantity on. */
export const perUnit = (cost: number, from = 0) => ({
  type: 'per_unit',
  range_start: from,
  cost_per_batch: cost,
  metric_units_per_batch: 1,
  batch_rounding_type: 'no_rounding',
});
