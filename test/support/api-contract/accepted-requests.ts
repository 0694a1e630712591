import { aMetricBody, aPlanBody, anAddonBody } from '../builders/catalog-bodies.js';
import type { Ids } from './samples.js';

/** Accepted bodies of operations that refuse a body with only the required fields. */
export const ACCEPTED_BODIES: Readonly<Record<string, (ids: Ids) => object>> = {
  'post /api/addons/': () => anAddonBody('Happy add-on'),
  'post /api/customers/': () => ({ customer_id: 'happy-customer' }),
  'post /api/metrics/': () => aMetricBody({ metric_name: 'happy metric', event_name: 'happy' }),
  'post /api/organizations/': () => ({ organization_name: 'Happy organization' }),
  'post /api/plans/': () => aPlanBody('Happy plan'),
  'post /api/plan_versions/': ({ plan_id: planId }) => ({
    plan_id: planId,
    version: 2,
    currency_code: 'USD',
  }),
  'post /api/subscriptions/': (ids) => newSubscription(ids),
  'post /api/subscriptions/add/': (ids) => newSubscription(ids),
  'post /api/subscriptions/{subscription_id}/switch_plan/': ({ switch_plan_id: planId }) => ({
    switch_plan_id: planId,
  }),
  'post /api/subscriptions/{subscription_id}/addons/attach/': ({ spare_addon_id: addonId }) => ({
    addon_id: addonId,
  }),
  'post /api/plan_versions/{version_id}/target_customers/remove/': ({ other_customer_id: other }) => ({
    customer_ids: [other],
  }),
  'post /api/subscriptions/{subscription_id}/update/': () => ({ turn_off_auto_renew: true }),
  'post /api/subscriptions/update/': () => ({ turn_off_auto_renew: true }),
  'post /api/credits/{credit_id}/update/': () => ({ description: 'Happy credit' }),
  'post /api/plans/{plan_id}/tags/add/': () => ({ tags: ['happy'] }),
  'post /api/plans/{plan_id}/tags/remove/': () => ({ tags: ['happy'] }),
  'post /api/plans/{plan_id}/tags/set/': () => ({ tags: ['happy'] }),
  'post /api/plans/{plan_id}/features/add/': ({ feature_id: featureId }) => ({
    feature_id: featureId,
    all_versions: true,
  }),
  'post /api/test_clock/advance/': () => ({ to: '2026-01-20T00:00:00Z' }),
  'post /api/track/': ({ customer_id: customerId }) => ({
    event_name: 'happy',
    customer_id: customerId,
    idempotency_id: 'happy-event',
    time_created: '2026-01-19T00:00:00Z',
    properties: {},
  }),
  'post /api/usage-alerts/': ({ customer_id: customerId, metric_id: metricId }) => ({
    name: 'Happy alert',
    customer_id: customerId,
    metric_id: metricId,
    threshold: 5,
  }),
  'post /api/webhooks/': () => ({
    name: 'Happy webhook',
    webhook_url: 'https://hooks.example.com/happy',
    triggers: ['invoice.created'],
  }),
};

const newSubscription = (ids: Ids) => ({
  customer_id: ids['customer_id'],
  plan_id: ids['switch_plan_id'],
  start_date: '2026-01-15T00:00:00Z',
});

/** Ids of accepted requests that differ from the organization's usual ones. */
export const IDS_TO_ACCEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'post /api/metrics/{metric_id}/archive/': { metric_id: 'spare_metric_id' },
  'post /api/plans/{plan_id}/delete/': { plan_id: 'switch_plan_id' },
  'post /api/plan_versions/{version_id}/delete/': { version_id: 'switch_plan_version_id' },
  'post /api/plan_versions/{version_id}/make_public/': { version_id: 'custom_version_id' },
  'post /api/plan_versions/{version_id}/target_customers/add/': { version_id: 'custom_version_id' },
  'post /api/plan_versions/{version_id}/target_customers/remove/': { version_id: 'custom_version_id' },
};

/** Queries without which an operation answers 400 or 404. */
export const ACCEPTED_QUERIES: Readonly<Record<string, string>> = {
  'get /api/audit/consistency/': 'from=0',
  'get /api/audit/proofs/': 'position=0',
  'get /api/usage/': 'customer_id=customer-of-the-rich-tenant',
};
