import fc from 'fast-check';
import { fromMicros, instant, toMicros } from '../../src/kernel/instant.js';
import type { Instant } from '../../src/kernel/instant.js';
import { anchorOf } from '../../src/kernel/period.js';
import type { Anchor, Interval } from '../../src/kernel/period.js';
import { quantity, ratio } from '../../src/kernel/quantity.js';
import type { Quantity } from '../../src/kernel/quantity.js';

/**
 * Zones with offsets of whole, half and quarter hours, with midnights that are missing or come twice, and
 * with a skipped day.
 */
export const zones = fc.constantFrom(
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
);

const instantsBetween = (from: string, to: string): fc.Arbitrary<Instant> =>
  fc.bigInt({ min: toMicros(instant(from)), max: toMicros(instant(to)) }).map(fromMicros);

/** Any instant that the text format can hold. */
export const anyInstant = instantsBetween('0001-01-01', '9999-12-31T23:59:59.999999Z');
/** Instants of the years in which terms run and zones change their offsets. */
export const instants = instantsBetween('2000-01-01', '2045-01-01');

export const intervals: fc.Arbitrary<Interval> = fc.oneof(
  fc.record({ unit: fc.constantFrom('month' as const), count: fc.integer({ min: 1, max: 14 }) }),
  fc.record({ unit: fc.constantFrom('year' as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ unit: fc.constantFrom('week' as const), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ unit: fc.constantFrom('day' as const), count: fc.integer({ min: 1, max: 45 }) }),
);

export interface Grid {
  readonly start: Instant;
  readonly zone: string;
  readonly interval: Interval;
  readonly anchor: Anchor;
}

/** Grids of a first term: anchored by its start, by a day (often the 29th to 31st), by a month or by both. */
export const grids: fc.Arbitrary<Grid> = fc
  .record({
    start: instants,
    zone: zones,
    interval: intervals,
    day: fc.option(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 29, max: 31 }))),
    month: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 2 }),
  })
  .map(({ start, zone, interval, day, month }) => ({
    start,
    zone,
    interval,
    anchor: anchorOf(start, zone, interval, day, month),
  }));

/** Quantities of plans and usage: 0 to 10 billion, with up to six decimals. */
export const quantities: fc.Arbitrary<Quantity> = fc
  .tuple(fc.bigInt({ min: 0n, max: 10_000_000_000n }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, decimals]) => ratio(digits, 10n ** BigInt(decimals)));

export const prices: fc.Arbitrary<Quantity> = fc
  .integer({ min: 0, max: 100_000_00 })
  .map((cents) => quantity(`${cents}e-2`));
