import type { CustomerSummary } from '../../customer/customer-directory.js';
import { toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import {
  named,
  noted,
  nullable,
  number,
  object,
  oneOf,
  text,
  type WireOf,
} from '../../platform/http/openapi/schema.js';
import { dateTime, wireId } from '../../platform/http/openapi/values.js';
import { THRESHOLD_TYPES } from '../domain/thresholds.js';
import type { DatedAlert } from '../domain/events.js';

/** A threshold of usage (docs/contract.md#usage-alerts). */
export const USAGE_ALERT = named(
  'UsageAlert',
  object({
    usage_alert_id: noted(wireId('usage_alert'), { description: 'Id of the alert.' }),
    name: text({ description: 'Purpose of the alert, in your words.' }),
    metric_id: noted(wireId('metric'), { description: 'Metric whose usage it watches.' }),
    customer_id: nullable(
      text({ description: 'Customer that it watches; null for one that watches a plan.' }),
    ),
    plan_id: nullable(
      noted(wireId('plan'), { description: 'Plan whose subscribers it watches, each for itself.' }),
    ),
    threshold_type: noted(oneOf(THRESHOLD_TYPES), {
      description:
        'units: of the metric. amount: cost of the usage in the currency of the subscription, before adjustments and tax.',
    }),
    threshold: number({ description: 'Usage of one billing window that triggers it, or more.' }),
    created_at: noted(dateTime(), { description: 'When it was made.' }),
  }),
);

export const presentAlert = (
  alert: DatedAlert,
  customer: CustomerSummary | undefined,
): WireOf<typeof USAGE_ALERT> => ({
  usage_alert_id: toWireId('usage_alert', alert.alertId),
  name: alert.name,
  metric_id: toWireId('metric', alert.metricId),
  customer_id: customer?.customer_id ?? null,
  plan_id: alert.planId && toWireId('plan', alert.planId),
  threshold_type: alert.measure,
  threshold: Number(alert.threshold),
  created_at: formatInstant(alert.createdAt),
});
