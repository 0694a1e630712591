import { priceOf, type Pricing, type Tier } from './price-of.js';

export interface Point {
  readonly quantity: number;
  readonly price: number;
}

const SAMPLES = 180;
/** Finer than what a chart shows. */
const DIGITS = 6;

/** Largest quantity on a chart: the last threshold with half as much again. */
export function reachOf(tiers: readonly Tier[]): number {
  const last = Math.max(0, ...tiers.map(({ range_start: start, range_end: end }) => end ?? start));
  const batch = Math.max(1, ...tiers.map(({ metric_units_per_batch: units }) => units ?? 1));
  return Math.max(last * 1.5, batch * 10);
}

/** Points of the price over the quantity; a threshold has one point on it and one just above, so that its step is upright. */
export function curvePoints(tiers: readonly Tier[], pricing: Pricing, reach: number): Point[] {
  const even = Array.from({ length: SAMPLES + 1 }, (_, index) => (reach * index) / SAMPLES);
  const thresholds = tiers.flatMap(({ range_end: end }) => (end === null ? [] : [end, end + reach / 1e6]));
  return [...even, ...thresholds]
    .filter((quantity) => quantity <= reach)
    .toSorted((a, b) => a - b)
    .map((quantity) => ({ quantity, price: Number(priceOf(tiers, quantity, pricing, DIGITS)) }));
}
