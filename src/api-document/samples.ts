/**
 * Values that examples of the API document show, by the name of the parameter or property; `Owner.name` overrides it.
 * Names that are not here get a value of their schema: an id of the kind, the first of the choices, a time.
 */
const HEX = '5f0a1c3e7b2d4c6e8a9b0c1d2e3f4a5b';
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const FILTERS = '[{"property_name":"region","value":"eu"}]';

export const SAMPLES: Readonly<Record<string, unknown>> = {
  // Ids
  addon_id: `addon_${HEX}`,
  addon_version_id: `addon_version_${HEX}`,
  credit_id: `credit_${HEX}`,
  customer_id: 'acme',
  feature_id: `feature_${HEX}`,
  invoice_id: 'invoice_5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b',
  metric_id: `metric_${HEX}`,
  parked_id: '5f0a1c3e-7b2d-4c6e-8a9b-0c1d2e3f4a5b',
  plan_id: `plan_${HEX}`,
  subscription_id: `sub_${HEX}`,
  usage_alert_id: `usage_alert_${HEX}`,
  version_id: `plan_version_${HEX}`,
  webhook_endpoint_id: `webhook_${HEX}`,
  idempotency_id: 'request-1',
  usage_event_id: 'request-1',
  payment_provider_id: 'cus_42',
  prefix: '2f5f24522e68',

  // Customers, sellers, addresses
  account: 'tax',
  account_holder: 'Example Ltd',
  bic: 'DEUTDEFF',
  city: 'Warsaw',
  country: 'PL',
  customer_name: 'Acme Inc',
  iban: 'DE89370400440532013000',
  invoice_footer: 'Thank you for your business.',
  invoice_locale: 'en-GB',
  legal_name: 'Example Ltd',
  line1: 'Prosta 1',
  line2: null,
  organization_name: 'Example Ltd',
  payment_terms: 'Payable within 14 days.',
  phone: '+48 22 000 00 00',
  postal_code: '00-001',
  timezone: 'Europe/Warsaw',

  // Money and prices
  code: 'USD',
  currency_code: 'USD',
  default_currency_code: 'USD',
  version_currency_code: 'USD',
  symbol: '$',
  'PricingUnit.name': 'US Dollar',
  'Adjustment.amount': '0.00',
  tax_rate: 23,

  // Catalog
  addon_name: 'Priority support',
  addon_description: 'Answers within an hour.',
  feature_name: 'Single sign-on',
  feature_description: 'Login with your identity provider.',
  metric_name: 'API requests',
  plan_name: 'Pro',
  plan_description: 'For teams.',
  localized_name: null,
  custom_sql: null,
  property_name: 'region',
  external_plan_id: 'price_42',
  price_adjustment_name: 'Launch discount',
  price_adjustment_description: null,
  usage_billing_frequency: null,
  tags: ['public'],

  // Records
  email: 'billing@acme.example',
  event_name: 'api_request',
  invoice_number: '260101-000001',
  key_id: '5f0a1c3e',
  subscription_filters: [{ property_name: 'region', value: 'eu' }],
  description: 'Welcome credit',
  detail: 'This field is required.',
  last_error: null,
  name: 'Pro',
  note: 'recount.example/5f0a1c3e\n1\n',
  fingerprint: HASH,
  result_hash: HASH,
  webhook_url: 'https://hooks.example.com/recount',
  value: 'eu',
};

/** Parameters in a form of their own. */
export const PARAMETER_SAMPLES: Readonly<Record<string, unknown>> = {
  ...SAMPLES,
  as_of: '{{now}}',
  line: '1',
  actor: 'system',
  cursor: 'eyJhdCI6IjIwMjYtMDEtMDFUMDA6MDA6MDBaIn0',
  email: 'billing@acme.example',
  event_name: 'api_request',
  event_type: 'InvoiceIssued',
  exclude_tags: ['legacy'],
  expires: '1798761600',
  from: 0,
  group_by_property: 'region',
  include_tags: ['public'],
  include_tags_all: ['public'],
  invoice_number: '260101-000001',
  position: 1,
  revision: 1,
  signature: 'c2lnbmF0dXJl',
  since: 0,
  stream: 'customer-acme',
  subject_id: `sub_${HEX}`,
  to: 1,
  subscription_filters: FILTERS,
  range_end: '{{now}}',
  range_start: '2025-12-01T00:00:00Z',
};
