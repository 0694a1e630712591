/** Schemas of a customer. */
const CUSTOMERS = [
  ...['Customer', 'CreateCustomerBody', 'ChangeCustomerBody', 'CustomerProfileResource', 'DeletedCustomer'],
];

/** Describes a field of customers that means another thing elsewhere. */
const ofCustomers = (field: string, text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(CUSTOMERS.map((owner) => [`${owner}.${field}`, text]));

/** Schemas of your own organization, as its settings and as an invoice names it. */
const SETTINGS = ['Organization', 'ChangeSettingsBody'];

const ofOrganization = (field: string, text: string, owners = SETTINGS): Readonly<Record<string, string>> =>
  Object.fromEntries(owners.map((owner) => [`${owner}.${field}`, text]));

/**
 * Descriptions of parameters and properties in the API document, by name: a name has one meaning everywhere.
 * `Owner.name` overrides it: the owner is a schema, an operation, or the property that holds the object.
 */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  // Ids
  addon_id: 'Id of the add-on.',
  'cancelAddon.addon_id': 'Id of the add-on, or of its attachment (`addon_subscription_id`).',
  addon_subscription_id: 'Id of the add-on as it is attached to this subscription.',
  addon_version_id: 'Id of the version of the add-on. Attaching takes it in place of `addon_id`.',
  credit_id: 'Id of the credit.',
  customer_id: 'Your own id of the customer.',
  'CreateCustomerBody.customer_id':
    'Your own id of the customer, 1 to 200 characters, unique. It stays reserved after a deletion.',
  customer_key: 'Id of the customer in read models and analytics views, a uuid; it stays after an erasure.',
  event_id:
    'Id of the event that is delivered; the same in every attempt, so that receivers can drop repeats.',
  'ReplayBody.event_id': 'Sends this one event again.',
  feature_id: 'Id of the feature.',
  invoice_id: 'Id of the invoice (`invoice_` and a uuid). A path also takes its number.',
  metric_id: 'Id of the metric.',
  organization_id: 'Id of the organization.',
  plan_id: 'Id of the plan.',
  plan_version_id: 'Id of the plan version whose price is charged.',
  prefix:
    'Twelve digits by which the key is known: the part between its underscores, or of the hash of a key that the operator chose. No secret.',
  replace_plan_id:
    'The plan that the subscriptions are switched to. Several matching versions are 400 `ambiguous_plan_version`. Deprecated: use `switchPlan`.',
  replace_with: 'Id of the version that subscriptions of this one renew to, in the same currency.',
  request_id: 'The `X-Request-Id` of the request that asked for the change.',
  subscription_id: 'Id of the subscription. A switch and a renewal begin a new one.',
  switch_plan_id: 'The plan to switch to. Required unless `switch_plan_version_id` is given.',
  switch_plan_version_id: 'The plan version to switch to. It wins over `switch_plan_id`.',
  version_id: 'Id of the plan version.',
  'CreateSubscriptionBody.version_id': 'Id of the plan version, in place of `plan_id`.',
  version_ids: 'The versions that get the feature.',
  webhook_endpoint_id: 'Id of the webhook endpoint.',

  // Customers, sellers, addresses
  address: 'Billing address. Invoices show the one of the day they were issued.',
  ...ofOrganization('address', 'Your address, as invoices show it.', [...SETTINGS, 'Seller']),
  billing_address: 'Billing address, as `address`.',
  city: 'City.',
  country: 'Country code of two letters (ISO 3166-1).',
  customer: 'The customer.',
  customer_ids: 'Your own ids of the customers.',
  customer_name: 'Name as invoices show it; null after an erasure.',
  default_currency: "Currency of the customer, or else the organization's, with its name and symbol.",
  default_currency_code: 'ISO 4217 code of the currency that is taken where none is named.',
  email: 'E-mail address.',
  ...ofOrganization('email', 'Your e-mail address, as invoices show it.', [...SETTINGS, 'Seller']),
  ...ofCustomers(
    'default_currency_code',
    'ISO 4217 code of the currency that is taken where none is named; null: the one of the organization.',
  ),
  ...ofCustomers(
    'email',
    'E-mail address, unique among customers; equal to the one at the payment provider.',
  ),
  line1: 'First line of the address.',
  line2: 'Second line of the address.',
  num_subscriptions_canceled: 'How many subscriptions ended with the customer.',
  payment_provider: 'The payment provider that charges the customer.',
  payment_provider_id: 'Id of the customer at the payment provider.',
  phone: 'Your telephone number, as invoices show it.',
  postal_code: 'Postal code.',
  properties: 'Free-form key/value object, kept as it is sent; at most 65,536 characters of JSON.',
  'UsageEvent.properties': 'Values that metrics aggregate and filter by, kept as they are sent.',
  seller: 'Your organization as the invoice names it.',
  shipping_address: 'Shipping address.',
  invoice_locale: 'Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: English.',
  ...ofCustomers(
    'invoice_locale',
    "Language and region of invoices as a BCP 47 tag, such as `de-AT`; null: the organization's.",
  ),
  reverse_charge:
    'true: invoices say that the customer owes the tax (reverse charge). Requires `tax_rate` 0 and a VAT number in `tax_ids`.',
  state: 'State or province.',
  tax_rate: 'Percent of tax; null: no tax.',
  ...ofOrganization(
    'tax_rate',
    'Percent of tax on what is due by customers without a rate of their own, 0 to 999.9999; 0: exempt; null: no tax.',
  ),
  ...ofCustomers(
    'tax_rate',
    'Percent of tax on what is due, 0 to 999.9999; 0: exempt; null: the rate of the organization.',
  ),
  timezone: 'IANA time zone in which days and months begin, such as `Europe/Warsaw`.',
  ...ofOrganization(
    'timezone',
    'IANA time zone in which days and months of customers without a zone of their own begin, such as `Europe/Warsaw`.',
  ),
  ...ofCustomers(
    'timezone',
    "IANA time zone in which days and months begin, such as `Europe/Warsaw`. An answer about a customer without a zone of its own shows the organization's.",
  ),

  // Plans and versions
  active_from: 'When the version starts to be sold; null: not offered yet.',
  active_subscriptions: 'Running subscriptions, all versions together.',
  active_to: 'When the version stops to be sold; null: open-ended.',
  all_versions: 'true: every version of the plan gets the feature.',
  components: 'Usage prices, one per metric.',
  created_on: 'When the version was made.',
  day_anchor: 'Day of the month, 1 to 31, on which periods begin; by default the day of the start.',
  'PlanVersion.description': 'Description of the plan. Deprecated.',
  display_version: 'The active public version, else the latest. Deprecated: use `versions`.',
  duration: 'Keeps plans with this duration.',
  exclude_tags: 'Drops plans that have any of these tags, in any case.',
  external_links: 'Ids of the plan at payment providers.',
  external_plan_id: 'Id of the plan at the payment provider.',
  feature: 'The feature.',
  feature_description: 'Description of the feature for people.',
  feature_name: 'Name of the feature, unique.',
  features: 'Features that subscribers are granted.',
  flat_fee_billing_type: 'When the first recurring charge is invoiced. Deprecated.',
  flat_rate: 'Sum of the recurring charges. Deprecated.',
  include: 'Files that the archive has besides.',
  include_tags: 'Keeps plans that have any of these tags, in any case.',
  include_tags_all: 'Keeps plans that have all of these tags, in any case.',
  initial_external_links: 'Ids of the plan at payment providers.',
  initial_version: 'The first version, active at once.',
  localized_name: 'Name of the version in the language of its customers.',
  make_active: 'true: the version is sold from now on and ends every other public version in its currency.',
  make_active_type: 'How subscriptions of the versions that end renew.',
  month_anchor:
    'Month of the year, 1 to 12, in which quarters and years begin; by default the month of the start.',
  num_versions: 'Number of public versions.',
  parent_plan: 'Always null. Deprecated.',
  plan: 'Plan and version of the subscription.',
  plan_description: 'Description of the plan for people.',
  plan_duration: 'How long a term runs until it renews; null: a month.',
  plan_name: 'Name of the plan, unique.',
  price_adjustment: 'A discount or surcharge on what the version charges; null: none.',
  price_adjustment_amount:
    'Percent, at least -100, or amount; negative is a discount. For `price_override` the new total.',
  price_adjustment_description: 'Why the price is adjusted, for people.',
  price_adjustment_name: 'Name of the adjustment as invoices show it.',
  price_adjustment_type: 'How `price_adjustment_amount` changes the price.',
  recurring_charges: 'Fixed charges of each invoicing interval.',
  source: 'The payment provider.',
  'SettingRead.source': 'Whose setting it is.',
  'Plan.status': 'Whether the plan is still there. Deprecated: use the status of its versions.',
  'PlanVersion.status': 'Whether the version is sold, and what becomes of its subscriptions.',
  tag_name: 'The tag: letters, digits, hyphens and underscores.',
  tags: 'Tags to find plans by: letters, digits, hyphens and underscores.',
  target_customer: 'Always null. Deprecated: use the targets of versions.',
  target_customer_ids: 'Customers that the version is made for; nobody else can subscribe to it.',
  target_customers: 'Customers that the version is made for; empty: everybody.',
  usage_billing_frequency: 'Always null. Deprecated.',
  version: 'Number of the version; `custom_version` when it is made for named customers.',
  'PlanRef.version': 'Number of the version; 0 when it is made for named customers.',
  version_currency_code: 'Keeps versions in this currency (ISO 4217).',
  version_custom_type: 'Keeps versions by whether they are made for named customers.',
  version_status: 'Keeps versions with these statuses; by default all.',
  versions: 'The versions, in the order they were made.',

  // Charges, components, tiers
  amount: 'Amount in the major unit of the currency.',
  'Invoice.amount': 'Sum of the lines, tax included. Negative when more is reversed than charged.',
  'InvoiceSummary.amount': 'Sum of the lines, tax included. Negative when more is reversed than charged.',
  'LinkedInvoice.amount': 'Sum of the lines, tax included. Negative when more is reversed than charged.',
  'InvoiceLineItem.amount': 'Amount that the line adds to the invoice: base, adjustments and tax.',
  'Adjustment.amount': 'Amount of the adjustment as decimal text; negative reduces the line.',
  'Drawdown.amount': 'Negative: what the invoice took from the credit.',
  'Credit.amount': 'Amount that was granted.',
  'GrantCreditBody.amount': 'Worth of the credit, above 0.',
  batch_rounding_type: 'How a started batch counts; null is `no_rounding`.',
  billable_metric: 'The metric whose usage is charged.',
  bulk_pricing_enabled:
    'true: the tier that the whole usage falls into prices all of it; false: each tier prices its own part.',
  charge_behavior: 'How a part of an interval is charged.',
  charge_timing: 'Whether the interval is invoiced when it begins or when it ends.',
  code: 'ISO 4217 code of the currency.',
  'FieldError.code': 'Machine code of the error.',
  cost_per_batch: 'Price of one batch; of a flat tier its whole price. Null in a free tier.',
  currency_code: 'ISO 4217 code of the currency, in any case.',
  invoicing_interval_count: 'How many units make one invoicing interval; null: one.',
  invoicing_interval_unit:
    'Unit of the interval after which the charge is invoiced; null: the term of the plan.',
  metric_units_per_batch: 'Units of usage in one batch; null: 1.',
  name: 'Name as people see it.',
  'PricingUnit.name': 'Name of the currency.',
  prepaid_charge:
    'Units that are paid at the start of each window; null: usage is charged when the window ends.',
  pricing_unit: 'The currency of the charge, that of its version.',
  reset_interval_count: 'How many units make one reset window; null: one.',
  reset_interval_unit:
    'Unit of the window after which usage is counted from 0; null: the invoicing interval.',
  symbol: 'Symbol of the currency.',
  tiers: 'Prices by range of usage, without a gap.',
  type: 'How the tier prices usage.',
  'BulkChange.type': 'Kind of the change.',
  'Problem.type':
    'URI of the class of the problem; ends in `#validation-error`, `#client-error` or `#server-error`.',
  'RecordedEvent.type': 'Type of the event.',
  'RecordedEventRef.type': 'Type of the event.',
  units: 'Prepaid units of the metric.',
  'ComponentCharge.units': 'Units of each window; null: given when the subscription is created.',
  'PrepaidChargeBody.units': 'Units of each window; null: given when the subscription is created.',
  'ChangePrepaidUnitsBody.units': 'The new number of prepaid units, from now on and in later windows.',
};
