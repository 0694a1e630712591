import { PLAN_REF } from '../../catalog/plan-ref-schema.js';
import { FEATURE } from '../../catalog/present-feature.js';
import { METRIC } from '../../catalog/present-metric.js';
import { CUSTOMER_SUMMARY } from '../../customer/customer-schema.js';
import { toWireId } from '../../kernel/ids.js';
import { formatInstant, plusMicros } from '../../kernel/instant.js';
import {
  flag,
  listOf,
  named,
  nullable,
  number,
  object,
  type WireOf,
} from '../../platform/http/openapi/schema.js';
import { SUBSCRIPTION_FILTER } from '../../subscription/filter-schema.js';
import { dateTime } from '../../platform/http/openapi/values.js';
import type { AccessTerm } from '../queries/running-terms.js';

/** Subscription in an access result (docs/contract.md#feature-access-result). */
const ACCESS_SUBSCRIPTION = named(
  'AccessSubscription',
  object({
    start_date: dateTime(),
    end_date: dateTime(),
    subscription_filters: listOf(SUBSCRIPTION_FILTER),
    plan: PLAN_REF,
  }),
);

const ACCESS_TO_FEATURE = {
  feature: FEATURE,
  access: flag(),
  access_per_subscription: listOf(object({ subscription: ACCESS_SUBSCRIPTION, access: flag() })),
};

/** Wire shape of a feature access result (docs/contract.md#feature-access-result). */
export const FEATURE_ACCESS = named(
  'FeatureAccess',
  object({ customer: CUSTOMER_SUMMARY, ...ACCESS_TO_FEATURE }),
);

/** Wire shape of the features of a customer (docs/contract.md#feature-access). */
export const GRANTED_FEATURES = named(
  'GrantedFeatures',
  object({ features: listOf(named('GrantedFeature', object(ACCESS_TO_FEATURE))) }),
);

/** Wire shape of metric access (docs/contract.md#metric-access); null: no limit. */
export const METRIC_ACCESS = named(
  'MetricAccess',
  object({
    customer: CUSTOMER_SUMMARY,
    metric: METRIC,
    access: flag(),
    access_per_subscription: listOf(
      object({
        subscription: ACCESS_SUBSCRIPTION,
        metric_usage: number(),
        metric_free_limit: nullable(number()),
        metric_total_limit: nullable(number()),
      }),
    ),
  }),
);

/** Subscription in an access result (docs/contract.md#feature-access-result). */
export const presentTerm = (term: AccessTerm): WireOf<typeof ACCESS_SUBSCRIPTION> => ({
  start_date: formatInstant(term.start),
  end_date: formatInstant(term.scheduledEnd ? plusMicros(term.end, -1n) : term.end),
  subscription_filters: term.filters.map(({ propertyName, value }) => ({
    property_name: propertyName,
    value,
  })),
  plan: {
    plan_name: term.planName,
    plan_id: toWireId('plan', term.planId),
    version_id: toWireId('plan_version', term.versionId),
    version: term.version ?? 0,
  },
});
