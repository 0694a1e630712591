import type { CalculatedTier } from '../../../../clients/typescript/src/index.js';
import { classNames } from '../../shared/class-names.js';
import type { Column } from '../../shared/data-table.js';
import { formatExact, formatExactAmount } from '../../shared/exact.js';
import { WholeTable } from '../../shared/whole-table.js';
import styles from './line-calculation.module.css';

interface TierTableProps {
  /** Name of the table in the address. */
  readonly name: string;
  readonly tiers: readonly CalculatedTier[];
  readonly price: string;
  readonly currency: string;
}

/** Table of the tiers: the drawing's numbers, for reading and for screen readers. */
export function TierTable({ name, tiers, price, currency }: TierTableProps) {
  return (
    <div>
      <WholeTable
        file={name}
        label="Tiers"
        columns={columnsIn(currency)}
        rows={tiers}
        rowKey={({ tier }) => String(tier)}
        empty={null}
        foot={[{ name: 'Price', cells: { amount: formatExactAmount(price, currency) } }]}
        isPlainIfShort
      />
    </div>
  );
}

const columnsIn = (currency: string): readonly Column<CalculatedTier>[] => [
  numberColumn('from', 'Above', ({ from }) => from),
  { ...numberColumn('units', 'Units', ({ units }) => units), align: 'end' },
  {
    id: 'price',
    header: 'Price',
    cell: (tier) => <Figure tier={tier}>{priceOf(tier, currency)}</Figure>,
    value: (tier) => priceOf(tier, currency),
    // A fee and a price of a unit have no order.
    isUnsorted: true,
    align: 'end',
  },
  {
    ...numberColumn('amount', currency, ({ amount }) => amount),
    cell: (tier) => <Figure tier={tier}>{formatExactAmount(tier.amount, currency)}</Figure>,
    align: 'end',
  },
];

/** Column of exact numbers; one that JavaScript cannot hold, such as 1/3, is exported as its text. */
const numberColumn = (
  id: string,
  header: string,
  of: (tier: CalculatedTier) => string,
): Column<CalculatedTier> => ({
  id,
  header,
  cell: (tier) => <Figure tier={tier}>{formatExact(of(tier))}</Figure>,
  value: (tier) => {
    const number = Number(of(tier));
    return String(number) === of(tier) ? number : of(tier);
  },
});

/** Figure of a tier, faint where the usage does not reach it. */
const Figure = ({ tier, children }: { readonly tier: CalculatedTier; readonly children: string }) => (
  <span className={classNames('number', tier.units === '0' && styles.untouched)}>{children}</span>
);

function priceOf(tier: CalculatedTier, currency: string): string {
  if (tier.type === 'free') return 'free';
  if (tier.type === 'flat') return `${formatExactAmount(tier.flat_fee ?? '0', currency)} flat`;
  const batch = tier.units_per_batch ?? '1';
  const per = batch === '1' ? 'each' : `per ${formatExact(batch)}`;
  const batches = tier.batches === null || batch === '1' ? '' : ` × ${formatExact(tier.batches)}`;
  return `${formatExactAmount(tier.unit_price ?? '0', currency)} ${per}${batches}`;
}
