import type {
  Plan,
  PlanComponent,
  PlanVersion,
  PriceTier,
} from '../../../../clients/typescript/src/index.js';
import { pricesOfComponent } from '../../pricing/tier-prices.js';
import { Amount, formatAmount, formatQuantity } from '../../shared/amount.js';
import { Badge } from '../../shared/badge.js';
import type { Column } from '../../shared/data-table.js';
import { WholeTable } from '../../shared/whole-table.js';
import { PriceCurve } from './price-curve.js';
import { intervalText } from './interval-text.js';
import { versionName } from './version-name.js';
import styles from './version-terms.module.css';

interface VersionTermsProps {
  readonly version: PlanVersion;
  /** Version to compare with: differing terms are marked. */
  readonly other: PlanVersion | undefined;
  readonly duration: Plan['plan_duration'];
}

/** Shows all prices of a version. */
export function VersionTerms({ version, other, duration }: VersionTermsProps) {
  const { currency, recurring_charges: charges, components, price_adjustment: adjustment } = version;
  return (
    <div className={styles.terms}>
      <h3>{versionName(version)}</h3>
      {charges.length > 0 && (
        <dl className={styles.charges}>
          {charges.map((charge) => (
            <div key={charge.name} className={styles.charge}>
              <dt>
                {charge.name}{' '}
                <small>
                  {intervalText(charge, duration)}, {charge.charge_timing.replace('_', ' ')},{' '}
                  {BEHAVIORS[charge.charge_behavior]}
                </small>
              </dt>
              <dd>
                <Amount value={charge.amount} currency={currency.code} />
                {other && !hasCharge(other, charge.name, charge.amount) && <Badge tone="warn">differs</Badge>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {adjustment && (
        <p>
          {adjustment.price_adjustment_name}: {adjustment.price_adjustment_type.replace('_', ' ')}{' '}
          {formatQuantity(adjustment.price_adjustment_amount)}
        </p>
      )}
      {components.map((component) => (
        <ComponentTerms
          key={component.billable_metric.metric_id}
          version={version}
          component={component}
          beside={other && { component: componentOf(other, component) }}
        />
      ))}
    </div>
  );
}

const BEHAVIORS: Readonly<Record<PlanVersion['recurring_charges'][number]['charge_behavior'], string>> = {
  prorate: 'prorated for partial periods',
  full: 'charged in full for partial periods',
};

const hasCharge = ({ recurring_charges: charges }: PlanVersion, name: string, amount: number): boolean =>
  charges.some((charge) => charge.name === name && charge.amount === amount);

const componentOf = ({ components }: PlanVersion, { billable_metric: metric }: PlanComponent) =>
  components.find(({ billable_metric: other }) => other.metric_id === metric.metric_id);

const priceContent = ({
  tiers,
  bulk_pricing_enabled: isBulk,
  prepaid_charge: prepaid,
}: PlanComponent): string => JSON.stringify([tiers, isBulk, prepaid]);

interface ComponentTermsProps {
  readonly version: PlanVersion;
  readonly component: PlanComponent;
  /** Version to compare with, which may lack a component of this metric. */
  readonly beside: { readonly component: PlanComponent | undefined } | undefined;
}

function ComponentTerms({ version, component, beside }: ComponentTermsProps) {
  const { billable_metric: metric, tiers, pricing_unit: unit, prepaid_charge: prepaid } = component;
  return (
    <figure className={styles.component}>
      <figcaption className={styles.caption}>
        <strong>{metric.metric_name}</strong>
        {component.bulk_pricing_enabled && <Badge tone="info">bulk: all units at one tier</Badge>}
        {prepaid && (
          <Badge tone="info">
            prepaid{prepaid.units === null ? '' : ` ${formatQuantity(prepaid.units)}`}
          </Badge>
        )}
        {beside && <DifferenceBadge component={component} other={beside.component} />}
      </figcaption>
      <PriceCurve
        prices={pricesOfComponent(component)}
        currency={unit.code}
        name={metric.metric_name}
        beside={beside?.component && pricesOfComponent(beside.component)}
      />
      <div>
        <WholeTable
          file={`tiers-${version.version_id}-${metric.metric_id}`}
          label={`Tiers of ${metric.metric_name} in ${versionName(version)}`}
          columns={tierColumns(unit.code)}
          rows={tiers}
          rowKey={({ range_start: start }) => String(start)}
          empty={null}
          isPlainIfShort
        />
      </div>
    </figure>
  );
}

interface DifferenceBadgeProps {
  readonly component: PlanComponent;
  readonly other: PlanComponent | undefined;
}

function DifferenceBadge({ component, other }: DifferenceBadgeProps) {
  if (!other) return <Badge tone="warn">only here</Badge>;
  return priceContent(other) === priceContent(component) ? null : <Badge tone="warn">differs</Badge>;
}

const ROUNDINGS: Readonly<Record<NonNullable<PriceTier['batch_rounding_type']>, string>> = {
  round_up: ', rounded up',
  round_down: ', rounded down',
  round_nearest: ', rounded to nearest',
  no_rounding: '',
};

const tierColumns = (currency: string): readonly Column<PriceTier>[] => [
  {
    id: 'from',
    header: 'From',
    cell: ({ range_start: start }) => formatQuantity(start),
    value: ({ range_start: start }) => start,
  },
  {
    id: 'to',
    header: 'To',
    cell: ({ range_end: end }) => (end === null ? 'no limit' : formatQuantity(end)),
    value: ({ range_end: end }) => end,
  },
  {
    id: 'price',
    header: 'Price',
    cell: (tier) => describePrice(tier, currency),
    value: (tier) => describePrice(tier, currency),
    // A fee and a price of a unit have no order.
    isUnsorted: true,
  },
];

function describePrice(tier: PriceTier, currency: string): string {
  if (tier.type === 'free') return 'free';
  const cost = formatAmount(tier.cost_per_batch ?? 0, currency);
  if (tier.type === 'flat') return `${cost} flat fee`;
  const batch = tier.metric_units_per_batch ?? 1;
  const rounding = tier.batch_rounding_type === null ? '' : ROUNDINGS[tier.batch_rounding_type];
  return `${cost} per ${batch === 1 ? 'unit' : `${formatQuantity(batch)} units`}${rounding}`;
}
