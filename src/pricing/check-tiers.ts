import type { FieldErrorCode } from '../kernel/errors.js';
import { compareQuantities, isNegative, isZero, quantity } from '../kernel/quantity.js';
import { readTiers } from './tiers.js';
import type { Range, Tier } from './tiers.js';

/** A fault in one tier; `field` is the field's name on the wire. */
export interface TierFault {
  readonly index: number;
  readonly field: 'range_start' | 'range_end' | 'cost_per_batch' | 'metric_units_per_batch' | 'type';
  readonly code: FieldErrorCode;
  readonly detail: string;
}

/**
 * May these tiers price a component (docs/contract.md#plans, docs/billing.md#tiers)? All faults, in order; an empty
 * list when they may. The numbers must be decimal text already.
 */
export function checkTiers(tiers: readonly Tier[], volume: boolean): TierFault[] {
  const ranges = readTiers(tiers);
  return tiers.flatMap((tier, index) => [
    ...checkPlace(ranges, index),
    ...checkPrice(tier, index),
    ...checkEntryFee(ranges[index]!, index, volume),
  ]);
}

function checkPlace(ranges: readonly Range[], index: number): TierFault[] {
  const { start, end } = ranges[index]!;
  const before = ranges[index - 1];
  const faults: TierFault[] = [];
  const fault = (field: TierFault['field'], detail: string) =>
    faults.push({ index, field, code: 'invalid', detail });
  if (!before && !isZero(start)) fault('range_start', 'The first tier starts at 0.');
  if (before && before.end !== null && compareQuantities(start, before.end) !== 0) {
    fault('range_start', 'A tier starts where the one before it ends, or exactly 1 above.');
  }
  if (end === null && index < ranges.length - 1) fault('range_end', 'Only the last tier may be open.');
  if (end !== null && compareQuantities(end, start) < 0)
    fault('range_end', 'A tier ends at its start or above.');
  return faults;
}

function checkPrice(tier: Tier, index: number): TierFault[] {
  if (tier.type === 'free') return [];
  const faults: TierFault[] = [];
  if (tier.costPerBatch === null) {
    faults.push({
      index,
      field: 'cost_per_batch',
      code: 'required',
      detail: 'A tier that is not free has a cost.',
    });
  } else if (isNegative(quantity(tier.costPerBatch))) {
    faults.push({ index, field: 'cost_per_batch', code: 'min_value', detail: 'A cost is 0 or more.' });
  }
  if (tier.type === 'per_unit' && tier.unitsPerBatch !== null) {
    const units = quantity(tier.unitsPerBatch);
    if (isZero(units) || isNegative(units)) {
      const detail = 'A batch has more than 0 units.';
      faults.push({ index, field: 'metric_units_per_batch', code: 'min_value', detail });
    }
  }
  return faults;
}

/** With bulk pricing one tier prices the whole quantity, so a fee for entering a tier has no meaning. */
function checkEntryFee({ type, start, end }: Range, index: number, volume: boolean): TierFault[] {
  const isEntryFee = type === 'flat' && end !== null && compareQuantities(start, end) === 0;
  if (!volume || !isEntryFee) return [];
  const detail = 'A flat tier that ends where it starts cannot be used with bulk pricing.';
  return [{ index, field: 'range_end', code: 'invalid', detail }];
}
