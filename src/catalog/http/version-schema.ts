import { CUSTOMER_SUMMARY } from '../../customer/customer-schema.js';
import {
  either,
  flag,
  integer,
  listOf,
  named,
  noted,
  nullable,
  object,
  oneOf,
  text,
} from '../../platform/http/openapi/schema.js';
import { amount, dateTime, PRICING_UNIT, signedAmount, wireId } from '../../platform/http/openapi/values.js';
import { FEATURE } from '../present-feature.js';
import { METRIC } from '../present-metric.js';
import { BEHAVIORS, LARGEST_COUNT, ROUNDINGS, TIMINGS, UNITS } from './version.body.js';

const DEPRECATED = { deprecated: true };

const INTERVALS = {
  invoicing_interval_unit: nullable(oneOf(UNITS)),
  invoicing_interval_count: nullable(integer({ minimum: 0, maximum: LARGEST_COUNT })),
  reset_interval_unit: nullable(oneOf(UNITS)),
  reset_interval_count: nullable(integer({ minimum: 0, maximum: LARGEST_COUNT })),
};

/** Wire shape of a recurring charge (docs/contract.md#recurring-charge). */
const RECURRING_CHARGE = named(
  'RecurringCharge',
  object({
    name: text(),
    charge_timing: oneOf(TIMINGS),
    charge_behavior: oneOf(BEHAVIORS),
    amount: amount(),
    pricing_unit: PRICING_UNIT,
    ...INTERVALS,
  }),
);

/** Wire shape of a price tier (docs/contract.md#price-tier). */
const PRICE_TIER = named(
  'PriceTier',
  object({
    type: oneOf(['flat', 'per_unit', 'free']),
    range_start: amount(),
    range_end: nullable(amount()),
    cost_per_batch: nullable(amount()),
    metric_units_per_batch: nullable(amount()),
    batch_rounding_type: nullable(oneOf(ROUNDINGS)),
  }),
);

const COMPONENT_CHARGE = named(
  'ComponentCharge',
  object({ units: nullable(amount()), charge_behavior: oneOf(BEHAVIORS) }),
);

/** Wire shape of a plan component (docs/contract.md#plan-component). */
const PLAN_COMPONENT = named(
  'PlanComponent',
  object({
    billable_metric: METRIC,
    tiers: listOf(PRICE_TIER),
    bulk_pricing_enabled: flag(),
    pricing_unit: PRICING_UNIT,
    ...INTERVALS,
    prepaid_charge: nullable(COMPONENT_CHARGE),
  }),
);

/** Prices of plans and add-ons. */
export const PRICES = {
  recurring_charges: listOf(RECURRING_CHARGE),
  components: listOf(PLAN_COMPONENT),
};

/** Wire shape of a price adjustment (docs/contract.md#price-adjustment). */
const PRICE_ADJUSTMENT = named(
  'PriceAdjustment',
  object({
    price_adjustment_name: text({ maxLength: 100 }),
    price_adjustment_description: nullable(text()),
    price_adjustment_type: oneOf(['percentage', 'fixed', 'price_override']),
    price_adjustment_amount: signedAmount(),
  }),
);

/** Wire shape of a plan version (docs/contract.md#plan-version), with its id. */
export const PLAN_VERSION = named(
  'PlanVersion',
  object({
    version_id: wireId('plan_version'),
    ...PRICES,
    features: listOf(FEATURE),
    price_adjustment: nullable(PRICE_ADJUSTMENT),
    version: either(integer({ minimum: 1 }), oneOf(['custom_version'])),
    status: oneOf(['active', 'retiring', 'grandfathered', 'deleted', 'inactive', 'not_started']),
    plan_name: text(),
    currency: PRICING_UNIT,
    active_from: nullable(dateTime()),
    active_to: nullable(dateTime()),
    localized_name: nullable(text()),
    day_anchor: nullable(integer({ minimum: 1, maximum: 31 })),
    month_anchor: nullable(integer({ minimum: 1, maximum: 12 })),
    target_customers: listOf(CUSTOMER_SUMMARY),
    created_on: dateTime(),
    usage_billing_frequency: noted(nullable(text()), DEPRECATED),
    flat_fee_billing_type: noted(oneOf(TIMINGS), DEPRECATED),
    flat_rate: noted(amount(), DEPRECATED),
    description: noted(nullable(text()), DEPRECATED),
  }),
);
