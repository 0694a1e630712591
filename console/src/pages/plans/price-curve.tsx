import { chartMaximum, curveOf, type CurvePoint } from '../../pricing/price-curve.js';
import type { TierPrices } from '../../pricing/tier-prices.js';
import { formatAmount } from '../../shared/amount.js';
import { toChartNumber } from '../../shared/chart-number.js';
import { LOCALE } from '../../shared/locale.js';
import styles from './price-curve.module.css';

const WIDTH = 480;
const HEIGHT = 150;
const LEFT = 8;
const BOTTOM = 22;
const TOP = 20;

const COMPACT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });

interface PriceCurveProps {
  readonly prices: TierPrices;
  readonly currency: string;
  readonly name: string;
  /** Prices drawn beside these, with a common scale. */
  readonly beside?: TierPrices | undefined;
}

/**
 * Price over the quantity, with a line at each threshold. The table of tiers beside it has the same numbers.
 */
export function PriceCurve({ prices, currency, name, beside }: PriceCurveProps) {
  const maximum = Math.max(chartMaximum(prices), beside ? chartMaximum(beside) : 0);
  const points = curveOf(prices, maximum);
  const others = beside ? curveOf(beside, maximum) : [];
  const top = Math.max(...[...points, ...others].map(({ price }) => price), Number.MIN_VALUE);
  const x = (quantity: number): number => LEFT + (quantity / maximum) * (WIDTH - 2 * LEFT);
  const y = (price: number): number => HEIGHT - BOTTOM - (price / top) * (HEIGHT - BOTTOM - TOP);
  const line = points.map((point) => place(point, x, y)).join('L');
  const thresholds = prices.tiers.flatMap(({ rangeEnd: end }) => (end === null ? [] : [toChartNumber(end)]));
  const end = points.at(-1)!;
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Price of ${name}: ${formatAmount(Math.round(end.price * 100) / 100, currency)} for ${COMPACT.format(end.units)} units`}
    >
      <line className={styles.axis} x1={LEFT} x2={WIDTH - LEFT} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
      {thresholds.map((at) => (
        <g key={at}>
          <line className={styles.threshold} x1={x(at)} x2={x(at)} y1={TOP} y2={HEIGHT - BOTTOM} />
          <text className={styles.label} x={x(at)} y={HEIGHT - 7} textAnchor="middle">
            {COMPACT.format(at)}
          </text>
        </g>
      ))}
      <text className={styles.label} x={WIDTH - LEFT} y={HEIGHT - 7} textAnchor="end">
        {COMPACT.format(maximum)} units
      </text>
      <path className={styles.area} d={`M${x(0)} ${y(0)}L${line}L${x(maximum)} ${y(0)}Z`} />
      <path className={styles.line} d={`M${line}`} />
      <text className={styles.price} x={WIDTH - LEFT} y={TOP - 7} textAnchor="end">
        {formatAmount(Math.round(end.price * 100) / 100, currency)}
      </text>
    </svg>
  );
}

const place = (
  { units, price }: CurvePoint,
  x: (quantity: number) => number,
  y: (price: number) => number,
): string => `${x(units).toFixed(1)} ${y(price).toFixed(1)}`;
