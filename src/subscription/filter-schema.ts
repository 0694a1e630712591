import { named, object, text } from '../platform/http/openapi/schema.js';
import type { QueryParams } from '../platform/http/query/query-params.js';

/** A subscription filter on the wire (docs/contract.md#query-parameters). */
export const SUBSCRIPTION_FILTER = named(
  'SubscriptionFilter',
  object({ property_name: text(), value: text() }),
);

/** Reads the query parameter `subscription_filters`. */
export const subscriptionFilters = (query: QueryParams) => query.propertyFilters('subscription_filters');
