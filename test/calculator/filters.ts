import type { CategoricalFilter, Metric, NumericFilter, Properties, SubscriptionFilter } from './history.js';
import { compare, decimal } from './rational.js';

/** Whether a metric counts an event for a subscription: it passes the filters of both (docs/billing.md#event-values). */
export const passes = (
  properties: Properties,
  { numeric_filters: numeric, categorical_filters: categorical }: Metric,
  ofSubscription: readonly SubscriptionFilter[],
): boolean =>
  numeric.every((filter) => passesNumeric(properties, filter)) &&
  categorical.every((filter) => passesCategorical(properties, filter)) &&
  ofSubscription.every(({ property_name: name, value }) => properties[name] === value);

const ORDERS: Readonly<Record<NumericFilter['operator'], (order: number) => boolean>> = {
  gte: (order) => order >= 0,
  gt: (order) => order > 0,
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

/** A property that is absent or no number passes no comparison. */
function passesNumeric(
  properties: Properties,
  { property_name: name, operator, comparison_value: value }: NumericFilter,
): boolean {
  const said = properties[name];
  if (said === undefined || !/^-?\d+(\.\d+)?$/.test(said)) return false;
  return ORDERS[operator](compare(decimal(said), decimal(value)));
}

function passesCategorical(
  properties: Properties,
  { property_name: name, operator, comparison_value: values }: CategoricalFilter,
): boolean {
  const said = properties[name];
  const isIn = said !== undefined && values.includes(said);
  return operator === 'isin' ? isIn : !isIn;
}
