import type { CalculatedTier } from '../../../../clients/typescript/src/index.js';
import { formatExact } from '../../shared/exact.js';
import styles from './line-making.module.css';

interface TierTableProps {
  readonly tiers: readonly CalculatedTier[];
  readonly price: string;
  readonly currency: string;
}

/** Table of the tiers: the drawing's numbers, for reading and for screen readers. */
export function TierTable({ tiers, price, currency }: TierTableProps) {
  return (
    <div className={styles.scroll} role="region" aria-label="Tiers" tabIndex={0}>
      <table className={styles.tiers}>
        <thead>
          <tr>
            <th scope="col">Above</th>
            <th scope="col">Units</th>
            <th scope="col">Price</th>
            <th scope="col">{currency}</th>
          </tr>
        </thead>
        <tbody>
          {tiers.map((tier) => (
            <tr key={tier.tier} className={tier.units === '0' ? styles.untouched : undefined}>
              <td>{formatExact(tier.from)}</td>
              <td>{formatExact(tier.units)}</td>
              <td>{priceOf(tier)}</td>
              <td>{formatExact(tier.amount)}</td>
            </tr>
          ))}
          <tr className={styles.total}>
            <td colSpan={3}>Price</td>
            <td>{formatExact(price)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function priceOf(tier: CalculatedTier): string {
  if (tier.type === 'free') return 'free';
  if (tier.type === 'flat') return `${formatExact(tier.flat_fee ?? '0')} flat`;
  const batch = tier.units_per_batch ?? '1';
  const per = batch === '1' ? 'each' : `per ${formatExact(batch)}`;
  const batches = tier.batches === null || batch === '1' ? '' : ` × ${formatExact(tier.batches)}`;
  return `${formatExact(tier.unit_price ?? '0')} ${per}${batches}`;
}
