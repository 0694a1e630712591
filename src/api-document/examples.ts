const hex = (prefix: string): string => `${prefix}_0f8fad5bd9cb469fa16570867728950e`;

const CUSTOMER = { customer_id: 'acme' };
const PLAN_ID = hex('plan');
const FEE = { name: 'Platform fee', charge_timing: 'in_advance', charge_behavior: 'prorate', amount: 30 };
/** Placeholder that the document replaces with the time at which it is served. */
const NOW = '{{now}}';
const LATER = '2099-12-31T23:59:59Z';

const NEW_SUBSCRIPTION = { ...CUSTOMER, plan_id: PLAN_ID, start_date: NOW, auto_renew: true };
const CANCELLATION = {
  flat_fee_behavior: 'charge_prorated',
  usage_behavior: 'bill_full',
  invoicing_behavior: 'invoice_now',
};

/**
 * Working example of each body: "try it out" begins with it, and a test sends it. Bodies that create a first
 * customer, metric, feature, plan, add-on, key or webhook work unchanged; elsewhere replace the ids with your
 * own.
 */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  addPlanFeature: { feature_id: hex('feature'), all_versions: true },
  addPlanTags: { tags: ['public'] },
  addSubscription: NEW_SUBSCRIPTION,
  addTargetCustomers: { customer_ids: ['acme'] },
  advanceTestClock: { to: NOW },
  attachAddon: { addon_id: hex('addon'), quantity: 1 },
  cancelAddon: CANCELLATION,
  cancelSubscription: CANCELLATION,
  cancelSubscriptions: CANCELLATION,
  changePrepaidUnits: { units: 200, invoice_now: true },
  createAddon: {
    addon_name: 'Onboarding',
    addon_description: 'A day with an engineer.',
    initial_version: {
      currency_code: 'USD',
      recurring_charges: [{ ...FEE, name: 'Onboarding', amount: 500 }],
      invoice_when: 'invoice_on_attach',
      billing_frequency: 'one_time',
    },
  },
  createApiKey: { name: 'Usage of the web shop', scope: 'ingest' },
  createCredit: {
    ...CUSTOMER,
    amount: 25,
    currency_code: 'USD',
    description: 'Thank you for waiting.',
    expires_at: LATER,
  },
  createCustomer: {
    ...CUSTOMER,
    customer_name: 'Acme Inc',
    email: 'billing@acme.example',
    default_currency_code: 'USD',
    timezone: 'Europe/Warsaw',
    tax_rate: 23,
    address: { line1: 'Prosta 1', city: 'Warszawa', postal_code: '00-001', country: 'PL' },
  },
  createFeature: { feature_name: 'Single sign-on', feature_description: 'Sign in with SAML.' },
  createMetric: {
    metric_name: 'API requests',
    event_name: 'api_request',
    metric_type: 'counter',
    aggregation_type: 'count',
  },
  createOrganization: {
    organization_name: 'Acme Cloud',
    default_currency_code: 'USD',
    timezone: 'Europe/Warsaw',
  },
  createPlan: {
    plan_name: 'Basic',
    plan_description: 'For small teams.',
    plan_duration: 'monthly',
    tags: ['public'],
    initial_version: { currency_code: 'USD', recurring_charges: [FEE] },
  },
  createPlanVersion: {
    plan_id: PLAN_ID,
    version: 2,
    currency_code: 'USD',
    recurring_charges: [{ ...FEE, amount: 20 }],
    components: [
      {
        metric_id: hex('metric'),
        tiers: [
          { type: 'free', range_start: 0, range_end: 1000 },
          {
            type: 'per_unit',
            range_start: 1000,
            cost_per_batch: 0.5,
            metric_units_per_batch: 100,
            batch_rounding_type: 'round_up',
          },
        ],
      },
    ],
    make_active: true,
    make_active_type: 'replace_on_renewal',
  },
  createSubscription: NEW_SUBSCRIPTION,
  createUsageAlert: {
    name: 'Nearly a million',
    metric_id: hex('metric'),
    ...CUSTOMER,
    threshold_type: 'units',
    threshold: 900_000,
  },
  createWebhook: {
    name: 'Accounting',
    webhook_url: 'https://hooks.example.com/recount',
    triggers: ['invoice.created', 'invoice.paid'],
  },
  removePlanTags: { tags: ['public'] },
  removeTargetCustomers: { customer_ids: ['acme'] },
  replayWebhookDeliveries: { after_position: '0/0' },
  setPlanTags: { tags: ['public', 'teams'] },
  setReplacementVersion: { replace_with: hex('plan_version') },
  switchPlan: {
    switch_plan_id: PLAN_ID,
    invoicing_behavior: 'invoice_now',
    usage_behavior: 'transfer_to_new_subscription',
  },
  trackEvents: {
    batch: [
      {
        event_name: 'api_request',
        customer_id: 'acme',
        idempotency_id: 'request-1',
        time_created: NOW,
        properties: { region: 'eu' },
      },
    ],
  },
  updateCredit: { description: 'Thank you for your patience.', expires_at: LATER },
  updateCustomer: { customer_name: 'Acme International', tax_rate: 19 },
  updateInvoice: { payment_status: 'paid' },
  updateOrganization: { payment_grace_period: 14, tax_rate: 23 },
  updatePlan: { plan_description: 'For teams of up to ten.' },
  updatePlanVersion: { localized_name: 'Podstawowy' },
  updateUsageAlert: { threshold: 950_000 },
  updateSubscription: { turn_off_auto_renew: true, metadata: { contract: '2026-17' } },
  updateSubscriptions: { turn_off_auto_renew: true },
  verifyEventsReceived: { idempotency_ids: ['request-1'], number_days_lookback: 7 },
  voidInvoice: { rebill: true },
};
