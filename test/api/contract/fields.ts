/** The fields of docs/contract.md#resources, written by hand and compared with the OpenAPI document. */
export interface FieldRule {
  /** A JSON type, the name of another resource, or `[…]` for a list of either. */
  readonly type: string;
  readonly nullable?: true;
  readonly format?: string;
  readonly enum?: readonly string[];
  /** Lowest allowed value. */
  readonly from?: number;
  /** Exclusive lower limit. */
  readonly above?: number;
  /** Exclusive upper limit. */
  readonly below?: number;
  /** Highest allowed value. */
  readonly to?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly deprecated?: true;
}

const TEXT: FieldRule = { type: 'string' };
const TEXT_OR_NULL: FieldRule = { type: 'string', nullable: true };
const TIME: FieldRule = { type: 'string', format: 'date-time' };
const TIME_OR_NULL: FieldRule = { ...TIME, nullable: true };
const DAY: FieldRule = { type: 'string', format: 'date' };
const FLAG: FieldRule = { type: 'boolean' };
const NUMBER: FieldRule = { type: 'number' };
const OBJECT: FieldRule = { type: 'object' };
const AMOUNT: FieldRule = { type: 'number', from: 0, below: 10_000_000_000 };
const AMOUNT_OR_NULL: FieldRule = { ...AMOUNT, nullable: true };
const SIGNED: FieldRule = { type: 'number', above: -10_000_000_000, below: 10_000_000_000 };
const FILTERS: FieldRule = { type: '[SubscriptionFilter]' };
const oneOf = (...choices: string[]): FieldRule => ({ type: 'string', enum: choices });
const oneOrNull = (...choices: string[]): FieldRule => ({ ...oneOf(...choices), nullable: true });
const deprecated = (rule: FieldRule): FieldRule => ({ ...rule, deprecated: true });
const upTo = (maxLength: number): FieldRule => ({ type: 'string', maxLength });

const UNIT = oneOrNull('day', 'week', 'month', 'year');
const COUNT: FieldRule = { type: 'integer', nullable: true, from: 0, to: 32767 };
const INTERVALS = {
  invoicing_interval_unit: UNIT,
  invoicing_interval_count: COUNT,
  reset_interval_unit: UNIT,
  reset_interval_count: COUNT,
};
const GRANULARITY = oneOrNull('seconds', 'minutes', 'hours', 'days', 'months', 'quarters', 'years', 'total');
const CUSTOMER = {
  customer_name: TEXT_OR_NULL,
  email: { ...TEXT_OR_NULL, format: 'email' },
  customer_id: TEXT_OR_NULL,
};

export const RESOURCES: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  Subscription: {
    subscription_id: TEXT,
    start_date: TIME,
    end_date: TIME,
    auto_renew: FLAG,
    is_new: FLAG,
    subscription_filters: FILTERS,
    customer: { type: 'CustomerSummary' },
    billing_plan: { type: 'PlanRef' },
    fully_billed: FLAG,
    addons: { type: '[AddonSubscription]' },
    metadata: OBJECT,
  },
  SubscriptionFilter: { property_name: TEXT, value: TEXT },
  PlanRef: { plan_name: TEXT, plan_id: TEXT, version_id: TEXT, version: { type: 'integer' } },
  AddonSubscription: {
    addon_subscription_id: TEXT,
    start_date: TIME,
    end_date: TIME,
    addon: { type: 'AddonRef' },
    fully_billed: FLAG,
  },
  AddonRef: {
    addon_name: TEXT,
    addon_id: TEXT,
    addon_type: oneOf('flat', 'usage_based'),
    billing_frequency: oneOf('one_time', 'recurring'),
  },
  // each part of an address may be unknown
  CustomerSummary: CUSTOMER,
  AddressedCustomer: { ...CUSTOMER, address: { type: 'Address', nullable: true } },
  Address: {
    city: TEXT_OR_NULL,
    line1: TEXT_OR_NULL,
    line2: TEXT_OR_NULL,
    postal_code: TEXT_OR_NULL,
    state: TEXT_OR_NULL,
    country: { ...TEXT_OR_NULL, pattern: '^[A-Z]{2}$' },
  },
  Plan: {
    plan_id: TEXT,
    plan_name: TEXT,
    plan_duration: oneOrNull('monthly', 'quarterly', 'yearly'),
    plan_description: TEXT_OR_NULL,
    external_links: { type: '[ExternalPlanLink]' },
    num_versions: { type: 'integer' },
    active_version: { type: 'integer' },
    active_subscriptions: { type: 'integer' },
    tags: { type: '[string]', pattern: '^[-a-zA-Z0-9_]+$' },
    versions: { type: '[PlanVersion]' },
    parent_plan: deprecated({ type: 'null' }),
    target_customer: deprecated({ type: 'CustomerSummary', nullable: true }),
    display_version: deprecated({ type: 'PlanVersion' }),
    status: deprecated(oneOf('active', 'archived')),
  },
  ExternalPlanLink: { source: oneOf('provider_a', 'provider_b'), external_plan_id: upTo(100) },
  // `version` is integer or the text custom_version
  PlanVersion: {
    recurring_charges: { type: '[RecurringCharge]' },
    components: { type: '[PlanComponent]' },
    features: { type: '[Feature]' },
    price_adjustment: { type: 'PriceAdjustment', nullable: true },
    version: { type: 'integer|string', enum: ['custom_version'] },
    status: oneOf('active', 'retiring', 'grandfathered', 'deleted', 'inactive', 'not_started'),
    plan_name: TEXT,
    currency: { type: 'PricingUnit' },
    active_from: TIME_OR_NULL,
    active_to: TIME_OR_NULL,
    localized_name: TEXT_OR_NULL,
    day_anchor: { type: 'integer', nullable: true, from: 1, to: 31 },
    month_anchor: { type: 'integer', nullable: true, from: 1, to: 12 },
    target_customers: { type: '[CustomerSummary]' },
    created_on: TIME,
    usage_billing_frequency: deprecated(TEXT_OR_NULL),
    flat_fee_billing_type: deprecated(oneOf('in_advance', 'in_arrears')),
    flat_rate: deprecated(AMOUNT),
    description: deprecated(TEXT_OR_NULL),
    // docs/contract.md#resources
    version_id: TEXT,
  },
  RecurringCharge: {
    name: TEXT,
    charge_timing: oneOf('in_advance', 'in_arrears'),
    charge_behavior: oneOf('prorate', 'full'),
    amount: AMOUNT,
    pricing_unit: { type: 'PricingUnit' },
    ...INTERVALS,
  },
  PlanComponent: {
    billable_metric: { type: 'Metric' },
    tiers: { type: '[PriceTier]' },
    pricing_unit: { type: 'PricingUnit' },
    ...INTERVALS,
    prepaid_charge: { type: 'ComponentCharge', nullable: true },
    // docs/contract.md#plan-component
    bulk_pricing_enabled: FLAG,
  },
  ComponentCharge: { units: AMOUNT_OR_NULL, charge_behavior: oneOf('prorate', 'full') },
  PriceTier: {
    type: oneOf('flat', 'per_unit', 'free'),
    range_start: AMOUNT,
    range_end: AMOUNT_OR_NULL,
    cost_per_batch: AMOUNT_OR_NULL,
    metric_units_per_batch: AMOUNT_OR_NULL,
    batch_rounding_type: oneOrNull('round_up', 'round_down', 'round_nearest', 'no_rounding'),
  },
  Metric: {
    metric_id: TEXT,
    metric_name: TEXT,
    event_name: TEXT,
    property_name: TEXT_OR_NULL,
    aggregation_type: oneOf('count', 'sum', 'max', 'unique', 'average'),
    metric_type: oneOf('counter', 'rate', 'custom', 'gauge'),
    granularity: GRANULARITY,
    event_type: oneOrNull('delta', 'total'),
    proration: GRANULARITY,
    numeric_filters: { type: '[NumericFilter]' },
    categorical_filters: { type: '[CategoricalFilter]' },
    is_cost_metric: FLAG,
    custom_sql: TEXT_OR_NULL,
  },
  NumericFilter: {
    property_name: upTo(100),
    operator: oneOf('gte', 'gt', 'eq', 'lt', 'lte'),
    comparison_value: NUMBER,
  },
  CategoricalFilter: {
    property_name: upTo(100),
    operator: oneOf('isin', 'isnotin'),
    comparison_value: { type: '[string]' },
  },
  Feature: { feature_id: TEXT, feature_name: TEXT, feature_description: TEXT_OR_NULL },
  PriceAdjustment: {
    price_adjustment_name: upTo(100),
    price_adjustment_description: TEXT_OR_NULL,
    price_adjustment_type: oneOf('percentage', 'fixed', 'price_override'),
    price_adjustment_amount: SIGNED,
  },
  PricingUnit: { code: upTo(10), name: upTo(100), symbol: upTo(10) },
  Credit: {
    credit_id: TEXT,
    customer: { type: 'CustomerSummary' },
    amount: AMOUNT,
    amount_remaining: AMOUNT,
    currency: { type: 'PricingUnit' },
    description: TEXT_OR_NULL,
    effective_at: TIME,
    expires_at: TIME_OR_NULL,
    status: oneOf('active', 'inactive'),
    amount_paid: { type: 'number', from: 0 },
    amount_paid_currency: { type: 'PricingUnit', nullable: true },
    drawdowns: { type: '[Drawdown]' },
  },
  Drawdown: { credit_id: TEXT, amount: SIGNED, applied_at: TIME, description: TEXT },
  // the number and the link of a draft are null
  Invoice: {
    invoice_id: TEXT,
    invoice_number: TEXT_OR_NULL,
    cost_due: AMOUNT,
    amount: SIGNED,
    currency: { type: 'PricingUnit' },
    issue_date: TIME,
    due_date: TIME_OR_NULL,
    start_date: DAY,
    end_date: DAY,
    payment_status: oneOf('draft', 'voided', 'paid', 'unpaid'),
    external_payment_obj_id: TEXT_OR_NULL,
    external_payment_obj_type: oneOrNull('provider_a', 'provider_b'),
    external_payment_obj_status: TEXT_OR_NULL,
    line_items: { type: '[InvoiceLineItem]' },
    customer: { type: 'AddressedCustomer' },
    seller: { type: 'Seller' },
    invoice_pdf: TEXT_OR_NULL,
  },
  InvoiceLineItem: {
    name: TEXT,
    start_date: TIME,
    end_date: TIME,
    quantity: { type: 'number', nullable: true },
    billing_type: oneOf('in_advance', 'in_arrears', 'intermediate', 'one_time'),
    metadata: OBJECT,
    plan: { type: 'PlanRef', nullable: true },
    subscription_filters: { ...FILTERS, nullable: true },
    base: NUMBER,
    adjustments: { type: '[Adjustment]' },
    amount: NUMBER,
    subtotal: NUMBER,
  },
  Adjustment: {
    amount: TEXT,
    account: TEXT,
    adjustment_type: oneOf('sales_tax', 'plan_adjustment', 'credit'),
  },
  Seller: {
    name: TEXT,
    address: { type: 'Address', nullable: true },
    phone: TEXT_OR_NULL,
    email: { ...TEXT_OR_NULL, format: 'email' },
  },
  FeatureAccess: {
    customer: { type: 'CustomerSummary' },
    feature: { type: 'Feature' },
    access: FLAG,
    access_per_subscription: { type: '[object]' },
  },
  AccessSubscription: {
    start_date: TIME,
    end_date: TIME,
    subscription_filters: FILTERS,
    plan: { type: 'PlanRef' },
  },
};
