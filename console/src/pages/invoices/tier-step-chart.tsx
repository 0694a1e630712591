import type { CalculationStep } from '../../../../clients/typescript/src/index.js';
import { curveOf, type CurvePoint } from '../../pricing/price-curve.js';
import { pricesOfStep } from '../../pricing/tier-prices.js';
import { formatQuantity } from '../../shared/amount.js';
import { toChartNumber } from '../../shared/chart-number.js';
import { formatExact } from '../../shared/exact.js';
import styles from './line-calculation.module.css';

const [WIDTH, HEIGHT] = [420, 190];
const [LEFT, RIGHT, TOP, BOTTOM] = [8, 12, 18, 24];

interface TierStepChartProps {
  readonly step: CalculationStep;
}

/** Draws the price over the quantity, filled up to the quantity of the line. */
export function TierStepChart({ step }: TierStepChartProps) {
  const { tiers, units } = step;
  const quantity = toChartNumber(units);
  const lastBound = toChartNumber(tiers.at(-1)?.from ?? '0');
  const most = Math.max(quantity * 1.25, lastBound * 1.1, 1);
  const prices = pricesOfStep(step);
  const curve = curveOf(prices, most);
  const used = curveOf(prices, quantity);
  const highest = Math.max(...curve.map(({ price }) => price), Number.EPSILON);
  const x = (value: number): number => LEFT + (value / most) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / highest) * (HEIGHT - TOP - BOTTOM);
  const path = (points: readonly CurvePoint[]): string =>
    points.map(({ units: at, price }, index) => `${index === 0 ? 'M' : 'L'}${x(at)} ${y(price)}`).join('');
  const end = used.at(-1)!;
  const isRight = x(quantity) > WIDTH * 0.6;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={styles.drawing}
      role="img"
      aria-label={`Price by quantity: ${formatExact(units)} units`}
    >
      <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(0)} y2={y(0)} className={styles.axis} />
      {tiers.slice(1).map(({ tier, from }) => (
        <g key={tier}>
          <line
            x1={x(toChartNumber(from))}
            x2={x(toChartNumber(from))}
            y1={y(0)}
            y2={y(0) + 5}
            className={styles.axis}
          />
          <text x={x(toChartNumber(from))} y={HEIGHT - 6} textAnchor="middle" className={styles.label}>
            {formatQuantity(toChartNumber(from))}
          </text>
        </g>
      ))}
      <path d={`${path(used)}L${x(end.units)} ${y(0)}Z`} className={styles.used} />
      <path d={path(curve)} className={styles.step} />
      <path d={path(used)} className={styles.usedLine} />
      <line x1={x(quantity)} x2={x(quantity)} y1={TOP - 4} y2={y(0)} className={styles.quantityLine} />
      <circle cx={x(end.units)} cy={y(end.price)} r={4} className={styles.dot} />
      <text
        x={x(quantity) + (isRight ? -6 : 6)}
        y={TOP - 6}
        textAnchor={isRight ? 'end' : 'start'}
        className={styles.label}
      >
        {formatExact(units)}
      </text>
    </svg>
  );
}
