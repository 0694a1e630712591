import type { CalculatedTier } from '../../../../clients/typescript/src/index.js';
import { toDrawn } from '../../shared/drawn-number.js';

export interface CurvePoint {
  readonly units: number;
  readonly price: number;
}

export type DrawnTier = Pick<
  CalculatedTier,
  'type' | 'from' | 'to' | 'unit_price' | 'units_per_batch' | 'rounding' | 'flat_fee'
>;

/** Steps of a tier with rounded batches that are drawn one by one; more would not be told apart. */
const MOST_STEPS = 60;

/**
 * The price by quantity, as points of a line up to `most` units. A drawing: the amounts that are charged come from the
 * service.
 */
export function curveOf(tiers: readonly DrawnTier[], most: number): readonly CurvePoint[] {
  const points: CurvePoint[] = [{ units: 0, price: 0 }];
  let before = 0;
  for (const tier of tiers) {
    const from = toDrawn(tier.from);
    const to = Math.min(tier.to === null ? most : toDrawn(tier.to), most);
    if (to < from || (to === from && tier.type !== 'flat')) continue;
    for (const point of pointsOf(tier, to - from)) {
      points.push({ units: from + point.units, price: before + point.price });
    }
    before = points.at(-1)!.price;
  }
  return points;
}

function pointsOf(tier: DrawnTier, width: number): CurvePoint[] {
  if (tier.type === 'free') return [{ units: width, price: 0 }];
  if (tier.type === 'flat') {
    const fee = toDrawn(tier.flat_fee ?? '0');
    return [
      { units: 0, price: fee },
      { units: width, price: fee },
    ];
  }
  const batch = toDrawn(tier.units_per_batch ?? '1');
  const price = toDrawn(tier.unit_price ?? '0');
  const batches = width / batch;
  const isSmooth = tier.rounding === null || tier.rounding === 'no_rounding' || batches > MOST_STEPS;
  if (isSmooth) return [{ units: width, price: batches * price }];
  return stairOf(batches, batch, price, tier.rounding);
}

/** Each batch jumps where its rounding has it: at its start, its middle or its end. */
function stairOf(batches: number, batch: number, price: number, rounding: string | null): CurvePoint[] {
  const jump = rounding === 'round_up' ? 0 : rounding === 'round_nearest' ? 0.5 : 1;
  const points: CurvePoint[] = [];
  for (let count = 0; count + jump <= batches; count += 1) {
    if (rounding === 'round_up' && count === batches) break;
    const units = (count + jump) * batch;
    points.push({ units, price: count * price }, { units, price: (count + 1) * price });
  }
  points.push({ units: batches * batch, price: points.at(-1)?.price ?? 0 });
  return points;
}
