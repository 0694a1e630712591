import type { FieldError } from '../../kernel/errors.js';
import type { SubscriptionFilter } from './events.js';

const sameFilter = (a: SubscriptionFilter, b: SubscriptionFilter): boolean =>
  a.propertyName === b.propertyName && a.value === b.value;

/** Whether every filter of `part` is among `whole`. */
const containsAll = (whole: readonly SubscriptionFilter[], part: readonly SubscriptionFilter[]): boolean =>
  part.every((filter) => whole.some((other) => sameFilter(filter, other)));

/** Two subscriptions can mean the same usage when the filters of one contain those of the other. */
export const comparable = (a: readonly SubscriptionFilter[], b: readonly SubscriptionFilter[]): boolean =>
  containsAll(a, b) || containsAll(b, a);

export const uniqueTags = (filters: readonly SubscriptionFilter[]): SubscriptionFilter[] =>
  filters.filter((filter, place) => filters.findIndex((other) => sameFilter(filter, other)) === place);

/** Names outside the organization's `subscription_filter_keys`, when keys are set. */
export function filterErrors(filters: readonly SubscriptionFilter[], keys: readonly string[]): FieldError[] {
  if (keys.length === 0) return [];
  return filters.flatMap(({ propertyName }, place) =>
    keys.includes(propertyName)
      ? []
      : [
          {
            code: 'invalid' as const,
            attr: `subscription_filters.${place}.property_name`,
            detail: `Choose a property from: ${keys.join(', ')}.`,
          },
        ],
  );
}
