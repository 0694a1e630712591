import { useState } from 'react';
import type { PlanComponent, PlanVersion } from '../../../../clients/typescript/src/index.js';
import { formatAmount, formatQuantity } from '../../shared/amount.js';
import { priceOf, pricesOfComponent } from '../../pricing/tier-prices.js';
import { Field, SelectInput, TextInput } from '../../shared/field.js';
import { LOCALE } from '../../shared/locale.js';
import styles from './calculator.module.css';
import { reachOf } from './reach-of.js';
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

const componentOf = ({ components }: PlanVersion, metricId: string): PlanComponent | undefined =>
  components.find(({ billable_metric: metric }) => metric.metric_id === metricId);

const suggestion = (component: PlanComponent): string => {
  const reach = reachOf(pricesOfComponent(component));
  return [0.1, 0.25, 0.5, 1, 2].map((part) => Math.round(reach * part)).join(' ');
};

/** Prices several quantities of a metric, exactly as a whole window of usage is billed. */
export function Calculator(props: CalculatorProps) {
  const { version, other, component, quantities, onChange } = props;
  const [text, setText] = useState(quantities ?? suggestion(component));
  const metricId = component.billable_metric.metric_id;
  const columns = [version, ...(other ? [other] : [])];
  const asked = text
    .split(/[\s;]+/)
    .filter(Boolean)
    .slice(0, MOST);
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
        <Field label="Quantities" hint={`Up to ${MOST}, with spaces between; decimals with a point.`}>
          <TextInput
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              onChange({ quantities: target.value });
            }}
          />
        </Field>
      </div>
      <div className={styles.scroll} role="region" aria-label="Calculated prices" tabIndex={0}>
        <table className={styles.table}>
          <caption className="visually-hidden">Calculated prices</caption>
          <thead>
            <tr>
              <th scope="col">Units</th>
              {columns.map((column) => (
                <th key={column.version_id} scope="col">
                  {versionName(column)}
                </th>
              ))}
              {columns.length === 1 && <th scope="col">A unit on average</th>}
            </tr>
          </thead>
          <tbody>
            {asked.map((quantity, index) => (
              <tr key={`${index} ${quantity}`}>
                <th scope="row">
                  {Number.isNaN(Number(quantity)) ? quantity : formatQuantity(Number(quantity))}
                </th>
                {columns.map((column) => (
                  <td key={column.version_id}>{priceText(componentOf(column, metricId), quantity)}</td>
                ))}
                {columns.length === 1 && <td>{averageText(component, quantity)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const minorDigits = (currency: string): number =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

function priceText(component: PlanComponent | undefined, quantity: string): string {
  if (!component) return 'not in it';
  const { code } = component.pricing_unit;
  const price = priceOf(pricesOfComponent(component), quantity, minorDigits(code));
  if (price === undefined) return 'not a quantity';
  const end = component.tiers.at(-1)?.range_end ?? null;
  const isBeyond = end !== null && Number(quantity) > end;
  return `${formatAmount(Number(price), code)}${isBeyond ? `, priced up to ${formatQuantity(end)}` : ''}`;
}

/** Rounds for display: four digits are enough. */
function averageText(component: PlanComponent, quantity: string): string {
  const { pricing_unit: unit } = component;
  const price = priceOf(pricesOfComponent(component), quantity, minorDigits(unit.code));
  const count = Number(quantity);
  if (price === undefined || count === 0) return '–';
  return formatAmount(Number((Number(price) / count).toPrecision(4)), unit.code);
}
