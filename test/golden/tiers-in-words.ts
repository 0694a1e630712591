import type { BatchRounding, Tier } from '../../src/pricing/tiers.js';

/** Tiers of the interface's cases of area `tiers`, which state them in words, by case id. */
export const tiersInWords: Readonly<
  Record<string, { readonly tiers: readonly Tier[]; readonly volume: boolean }>
> = {
  'tier-free50-per100': graduated(free('0', '50'), perUnit('50', null, '5.00', '100', 'no_rounding')),
  'tier-batch-none': graduated(perUnit('0', null, '5.00', '100', 'no_rounding')),
  'tier-batch-down': graduated(perUnit('0', null, '5.00', '100', 'round_down')),
  'tier-batch-nearest': graduated(perUnit('0', null, '5.00', '100', 'round_nearest')),
  'tier-free-then-flat': graduated(free('0', '10'), flat('10', null, '20.00')),
  'tier-flat-then-unit': graduated(flat('0', '100', '20.00'), perUnit('100', null, '0.10', '1')),
  'tier-round-up-per-tier': graduated(
    perUnit('0', '100', '1.00', '30', 'round_up'),
    perUnit('100', null, '1.00', '30', 'round_up'),
  ),
  'tier-tiny-price': graduated(perUnit('0', null, '0.0000001', '3', 'no_rounding')),
  'tier-bulk-four': { ...four(), volume: true },
  'tier-nobulk-four': four(),
  'tier-bulk-200-boundary': four(),
};

function four() {
  return graduated(
    free('0', '50'),
    perUnit('50', '100', '0.01', '1'),
    perUnit('100', '200', '0.05', '1'),
    perUnit('200', '300', '0.10', '1'),
  );
}

function graduated(...tiers: Tier[]) {
  return { tiers, volume: false };
}

function free(rangeStart: string, rangeEnd: string | null): Tier {
  return { type: 'free', rangeStart, rangeEnd, costPerBatch: null, unitsPerBatch: null, rounding: null };
}

function flat(rangeStart: string, rangeEnd: string | null, costPerBatch: string): Tier {
  return { ...free(rangeStart, rangeEnd), type: 'flat', costPerBatch };
}

function perUnit(
  rangeStart: string,
  rangeEnd: string | null,
  costPerBatch: string,
  unitsPerBatch: string,
  rounding: BatchRounding | null = null,
): Tier {
  return { ...flat(rangeStart, rangeEnd, costPerBatch), type: 'per_unit', unitsPerBatch, rounding };
}
