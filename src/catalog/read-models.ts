import type { Instant } from '../kernel/instant.js';
import type { PlanDuration } from '../kernel/period.js';
import type { MetricDefinition, PriceContent } from '../pricing/price-content.js';
import type { AddonVersion } from './domain/addon-version.js';
import type { ExternalPlanLink, PublishedVersion } from './domain/plan-state.js';

export interface AddonRow {
  org: string;
  addon_id: string;
  name: string;
  description: string | null;
  addon_type: 'flat' | 'usage_based';
  version_id: string;
  currency: string;
  recurring_charges: PriceContent['recurringCharges'];
  components: PriceContent['components'];
  features: AddonVersion['features'];
  invoice_when: AddonVersion['invoiceWhen'];
  billing_frequency: AddonVersion['billingFrequency'];
  content_hash: string;
  created_at: Instant;
  stream_revision: string;
}

export interface MetricRow {
  org: string;
  metric_id: string;
  name: string;
  event_name: string;
  metric_type: MetricDefinition['metricType'];
  aggregation: MetricDefinition['aggregation'];
  property_name: string | null;
  granularity: string | null;
  event_type: MetricDefinition['eventType'];
  proration: string | null;
  numeric_filters: MetricDefinition['numericFilters'];
  categorical_filters: MetricDefinition['categoricalFilters'];
  is_cost_metric: boolean;
  definition_hash: string;
  created_at: Instant;
  archived_at: Instant | null;
  stream_revision: string;
}

export interface FeatureRow {
  org: string;
  feature_id: string;
  name: string;
  description: string | null;
  created_at: Instant;
  stream_revision: string;
}

export interface PlanRow {
  org: string;
  plan_id: string;
  name: string;
  description: string | null;
  duration: PlanDuration | null;
  tags: readonly string[];
  external_links: readonly ExternalPlanLink[];
  created_at: Instant;
  deleted_at: Instant | null;
  stream_revision: string;
}

export interface PlanVersionRow {
  org: string;
  plan_id: string;
  version_id: string;
  version: number | null;
  currency: string;
  recurring_charges: PriceContent['recurringCharges'];
  components: PriceContent['components'];
  price_adjustment: PriceContent['priceAdjustment'];
  content_hash: string;
  features: PublishedVersion['features'];
  target_customer_keys: readonly string[];
  localized_name: string | null;
  day_anchor: number | null;
  month_anchor: number | null;
  active_from: Instant | null;
  active_to: Instant | null;
  replaced_by: string | null;
  deleted_at: Instant | null;
  created_at: Instant;
  published_revision: string;
  stream_revision: string;
}
