import type { CategoricalFilter, MetricDefinition, NumericFilter } from '../../pricing/price-content.js';
import { assertNever } from '../../kernel/decider.js';
import {
  compareQuantities,
  exactDecimalText,
  quantity,
  quantityOfNumber,
  readJsonNumber,
} from '../../kernel/quantity.js';
import type { SubscriptionFilter } from '../../subscription/domain/events.js';
import type { Properties } from './properties.js';

/** The metric's filters and the subscription's: an event that is counted passes all of them. */
export interface UsageFilters {
  readonly numeric: readonly NumericFilter[];
  readonly categorical: readonly CategoricalFilter[];
}

/** A subscription filter is one more property that must be one value, as text. */
export const filtersOf = (
  definition: MetricDefinition,
  subscription: readonly SubscriptionFilter[],
): UsageFilters => ({
  numeric: definition.numericFilters,
  categorical: [
    ...definition.categoricalFilters,
    ...subscription.map(({ propertyName, value }) => ({
      propertyName,
      operator: 'isin' as const,
      comparisonValue: [value],
    })),
  ],
});

export const passes = (properties: Properties, filters: UsageFilters): boolean =>
  filters.numeric.every((filter) => passesNumeric(properties, filter)) &&
  filters.categorical.every((filter) => passesCategorical(properties, filter));

/** A property without a value (docs/billing.md#event-values) passes no comparison. */
function passesNumeric(properties: Properties, filter: NumericFilter): boolean {
  const value = readJsonNumber(propertyOf(properties, filter.propertyName));
  if (value === undefined) return false;
  const order = compareQuantities(value, quantity(filter.comparisonValue));
  switch (filter.operator) {
    case 'gte':
      return order >= 0;
    case 'gt':
      return order > 0;
    case 'eq':
      return order === 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    default:
      return assertNever(filter.operator);
  }
}

/** `isnotin` passes where the property is missing; `isin` does not. */
function passesCategorical(properties: Properties, filter: CategoricalFilter): boolean {
  const text = asText(propertyOf(properties, filter.propertyName));
  const isIn = text !== undefined && filter.comparisonValue.includes(text);
  return filter.operator === 'isin' ? isIn : !isIn;
}

/** A number is its plain decimal digits (1e21 → 1000000000000000000000); null, lists and objects are no text. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return exactDecimalText(quantityOfNumber(value));
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** Only what the caller sent: no `constructor` that every object inherits. */
export const propertyOf = (properties: Properties, name: string): unknown =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;
