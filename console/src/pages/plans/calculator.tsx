import { useState } from 'react';
import type { PlanComponent, PlanVersion } from '../../../../clients/typescript/src/index.js';
import { formatAmount, formatQuantity } from '../../shared/amount.js';
import { priceOf, pricesOfComponent } from '../../pricing/tier-prices.js';
import type { Column } from '../../shared/data-table.js';
import { EmptyState } from '../../shared/empty-state.js';
import { Field, SelectInput, TextInput } from '../../shared/field.js';
import { LOCALE } from '../../shared/locale.js';
import { WholeTable } from '../../shared/whole-table.js';
import styles from './calculator.module.css';
import { chartMaximum } from '../../pricing/price-curve.js';
import { versionName } from './version-name.js';

interface CalculatorState {
  readonly metric?: string;
  readonly quantities?: string;
}

interface CalculatorProps {
  readonly version: PlanVersion;
  readonly other: PlanVersion | undefined;
  readonly component: PlanComponent;
  readonly quantities: string | undefined;
  readonly onChange: (state: CalculatorState) => void;
}

const MOST = 12;

/** Quantity as it was typed. */
interface Asked {
  readonly key: string;
  readonly quantity: string;
}

const componentOf = ({ components }: PlanVersion, metricId: string): PlanComponent | undefined =>
  components.find(({ billable_metric: metric }) => metric.metric_id === metricId);

const suggestion = (component: PlanComponent): string => {
  const maximum = chartMaximum(pricesOfComponent(component));
  return [0.1, 0.25, 0.5, 1, 2].map((part) => Math.round(maximum * part)).join(' ');
};

/** Prices several quantities of a metric, exactly as a whole window of usage is billed. */
export function Calculator(props: CalculatorProps) {
  const { version, other, component, quantities, onChange } = props;
  const [text, setText] = useState(quantities ?? suggestion(component));
  const metricId = component.billable_metric.metric_id;
  const rows = text
    .split(/[\s;]+/)
    .filter(Boolean)
    .slice(0, MOST)
    .map((quantity, index) => ({ key: `${index} ${quantity}`, quantity }));
  const columns: readonly Column<Asked>[] = [
    {
      id: 'units',
      header: 'Units',
      cell: ({ quantity }) => (
        <strong>{Number.isNaN(Number(quantity)) ? quantity : formatQuantity(Number(quantity))}</strong>
      ),
      value: ({ quantity }) => (Number.isNaN(Number(quantity)) ? quantity : Number(quantity)),
      align: 'end',
      isRowHeader: true,
    },
    ...[version, ...(other ? [other] : [])].map((one, index): Column<Asked> => {
      const priced = componentOf(one, metricId);
      return {
        id: `price-${index + 1}`,
        header: versionName(one),
        cell: ({ quantity }) => priceText(priced, quantity),
        value: ({ quantity }) => (priced ? numberOf(priceIn(priced, quantity)) : null),
        align: 'end',
      };
    }),
    ...(other ? [] : [averageColumn(component)]),
  ];
  return (
    <div className={styles.calculator}>
      <div className={styles.form}>
        <Field label="Metric">
          <SelectInput
            value={metricId}
            onChange={({ target }) => onChange({ metric: target.value, quantities: '' })}
          >
            {version.components.map(({ billable_metric: metric }) => (
              <option key={metric.metric_id} value={metric.metric_id}>
                {metric.metric_name}
              </option>
            ))}
          </SelectInput>
        </Field>
        <Field label="Quantities" hint={`Up to ${MOST}, separated by spaces. Use a decimal point.`}>
          <TextInput
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              onChange({ quantities: target.value });
            }}
          />
        </Field>
      </div>
      <WholeTable
        file="calculated-prices"
        label="Calculated prices"
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        empty={
          <EmptyState title="No quantities">Type some, such as 100 2500, to see what they cost.</EmptyState>
        }
      />
    </div>
  );
}

const minorDigits = (currency: string): number =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

const priceIn = (component: PlanComponent, quantity: string): string | undefined =>
  priceOf(pricesOfComponent(component), quantity, minorDigits(component.pricing_unit.code));

const numberOf = (price: string | undefined): number | null => (price === undefined ? null : Number(price));

function priceText(component: PlanComponent | undefined, quantity: string): string {
  if (!component) return 'not priced';
  const { code } = component.pricing_unit;
  const price = priceIn(component, quantity);
  if (price === undefined) return 'not a number';
  const end = component.tiers.at(-1)?.range_end ?? null;
  const isBeyond = end !== null && Number(quantity) > end;
  return `${formatAmount(Number(price), code)}${isBeyond ? `, priced up to ${formatQuantity(end)}` : ''}`;
}

function averageColumn(component: PlanComponent): Column<Asked> {
  const value = ({ quantity }: Asked): number | null => averageOf(component, quantity);
  return {
    id: 'average',
    header: 'Average per unit',
    cell: (row) => {
      const average = value(row);
      return average === null ? '–' : formatAmount(average, component.pricing_unit.code);
    },
    value,
    align: 'end',
    isMinor: true,
  };
}

/** Rounds for display: four digits are enough. */
function averageOf(component: PlanComponent, quantity: string): number | null {
  const price = priceIn(component, quantity);
  const count = Number(quantity);
  if (price === undefined || count === 0) return null;
  return Number((Number(price) / count).toPrecision(4));
}
