import type { CategoricalFilter, Metric, NumericFilter, Properties, SubscriptionFilter } from './history.js';
import { compare, decimal } from './rational.js';

/** Tells whether an event matches the filters of the metric and of the subscription (docs/billing.md#event-values). */
export const passes = (
  properties: Properties,
  { numeric_filters: numeric, categorical_filters: categorical }: Metric,
  subscriptionFilters: readonly SubscriptionFilter[],
): boolean =>
  numeric.every((filter) => passesNumeric(properties, filter)) &&
  categorical.every((filter) => passesCategorical(properties, filter)) &&
  subscriptionFilters.every(({ property_name: name, value }) => properties[name] === value);

const ORDERS: Readonly<Record<NumericFilter['operator'], (order: number) => boolean>> = {
  gte: (order) => order >= 0,
  gt: (order) => order > 0,
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
};

/** Compares a numeric property. An absent or non-numeric property matches no comparison. */
function passesNumeric(
  properties: Properties,
  { property_name: name, operator, comparison_value: value }: NumericFilter,
): boolean {
  const actual = properties[name];
  if (actual === undefined || !/^-?\d+(\.\d+)?$/.test(actual)) return false;
  return ORDERS[operator](compare(decimal(actual), decimal(value)));
}

function passesCategorical(
  properties: Properties,
  { property_name: name, operator, comparison_value: values }: CategoricalFilter,
): boolean {
  const value = properties[name];
  const isIn = value !== undefined && values.includes(value);
  return operator === 'isin' ? isIn : !isIn;
}
