import { ERROR_CODES, FIELD_ERROR_CODES } from './error-code-descriptions.js';
import { ORDERINGS } from './ordering-descriptions.js';

type Choices = Readonly<Record<string, string>>;

const INTERVALS = { day: 'Days.', week: 'Weeks.', month: 'Months.', year: 'Years.' };
const SPANS = {
  seconds: 'Seconds.',
  minutes: 'Minutes.',
  hours: 'Hours.',
  days: 'Days of the time zone.',
  months: 'Months of the time zone.',
  quarters: 'Quarters of the time zone.',
  years: 'Years of the time zone.',
  total: 'The whole window.',
};
const AGGREGATIONS = {
  count: 'Number of events.',
  sum: 'Sum of the property.',
  max: 'Highest value of the property.',
  unique: 'Number of different values of the property.',
  average: 'Mean of the property.',
};
const PROVIDERS = { provider_a: 'The first payment provider.', provider_b: 'The second payment provider.' };
const PAYMENT = { paid: 'Nothing is due.', unpaid: 'Something is due.' };
const CREDIT = {
  active: 'Something is left and it has not expired.',
  inactive: 'Used up, voided or expired.',
};
const TRIGGERS = {
  'customer.created': 'A customer was created.',
  'subscription.created': 'A subscription began, by creation or switch.',
  'subscription.renewed': 'A term ended and the next one began.',
  'subscription.cancelled': 'A subscription was cancelled.',
  'invoice.created': 'An invoice was issued.',
  'invoice.paid': 'An invoice was paid.',
  'invoice.past_due': 'The due date of an unpaid invoice has passed.',
  'invoice.voided': 'An invoice was voided.',
  'billing.parked': 'Billing of an account failed and is tried again later.',
  'audit.checkpoint': 'A checkpoint of the transparency log was signed.',
  'usage_alert.triggered': 'Usage of a billing window reached the threshold of an alert.',
};

const SUBJECT_KINDS = {
  organization: 'Settings of the organization, and the keys that sign its checkpoints.',
  api_key: 'An API key.',
  usage_alert: 'A usage alert.',
  webhook: 'A webhook endpoint.',
  plan: 'A plan with its versions.',
  ...{ addon: 'An add-on.', metric: 'A metric.', feature: 'A feature.' },
  customer: 'A customer; the id is `customer_key`.',
  subscription: 'A subscription.',
  account: 'Billing runs and usage counts of a customer in a currency; the id is `customer_key.currency`.',
  invoice: 'An invoice and its payment.',
  credit: 'A credit.',
  number_series: 'Invoice numbers of a day.',
};

/** Descriptions of enum values, by the name of the property; `Owner.name` overrides it for one owner. */
export const CHOICE_DESCRIPTIONS: Readonly<Record<string, Choices>> = {
  addon_type: { flat: 'Fixed charges only.', usage_based: 'Usage is charged too.' },
  algorithm: { ed25519: 'Ed25519 (RFC 8032).' },
  adjustment_type: {
    sales_tax: 'Tax on the line.',
    plan_adjustment: 'Discount or surcharge of the plan version.',
    credit: 'A credit that pays for a part of the invoice.',
  },
  aggregation_type: AGGREGATIONS,
  usage_aggregation_type: AGGREGATIONS,
  batch_rounding_type: {
    round_up: 'A started batch is charged whole.',
    round_down: 'Only full batches are charged.',
    round_nearest: 'From half a batch on, a whole one is charged.',
    no_rounding: 'A part of a batch is charged as that part of its price.',
  },
  'subject.kind': SUBJECT_KINDS,
  subject_kind: SUBJECT_KINDS,
  'Checkpoint.cause': {
    schedule: 'The newest checkpoint was too old.',
    billing: 'Billing runs had ended.',
    request: '`createCheckpoint`.',
  },
  'SigningKey.status': {
    current: 'The newest key: it signs.',
    overlapping: 'An earlier key that still signs beside the newest.',
    retired: 'It has signed earlier checkpoints only.',
  },
  billing_frequency: { one_time: 'Charged once, when attached.', recurring: 'Charged in every interval.' },
  billing_type: {
    in_advance: 'Charged at the start of its interval.',
    in_arrears: 'Charged after its interval.',
    intermediate: 'Usage of an interval that is invoiced within a longer term.',
    one_time: 'Charged once.',
  },
  charge_behavior: {
    prorate: 'A part of the interval costs that part of the amount.',
    full: 'Any part of the interval costs the whole amount.',
  },
  charge_timing: {
    in_advance: 'Invoiced when the interval begins.',
    in_arrears: 'Invoiced when the interval has ended.',
  },
  duration: { monthly: 'Terms of a month.', quarterly: 'Terms of three months.', yearly: 'Terms of a year.' },
  plan_duration: {
    monthly: 'Terms of a month.',
    quarterly: 'Terms of three months.',
    yearly: 'Terms of a year.',
  },
  event_type: {
    delta: 'Each value changes the level by so much.',
    total: 'Each value is the new level.',
  },
  external_payment_obj_type: PROVIDERS,
  payment_provider: PROVIDERS,
  source: PROVIDERS,
  feature_access_policy: {
    any: 'One subscription that grants the feature is enough.',
    all: 'Every running subscription has to grant it.',
  },
  flat_fee_behavior: {
    refund:
      'Charges nothing of the recurring charges of the cut windows: what was charged in advance is reversed whole.',
    charge_prorated:
      'Charges the used part of the cut windows, also of `full` charges: the rest of what was charged in advance is reversed.',
    charge_full:
      'Charges the whole recurring charges of the cut windows, whatever part was used: nothing is reversed.',
  },
  flat_fee_billing_type: { in_advance: 'At the start of the interval.', in_arrears: 'After the interval.' },
  granularity: SPANS,
  proration: SPANS,
  invoice_when: {
    invoice_on_attach: 'At once, when the add-on is attached.',
    invoice_on_subscription_end: 'When the term of the subscription ends.',
  },
  invoicing_behavior: {
    invoice_now: 'The difference is invoiced at once, with everything of the account whose term is over.',
    add_to_next_invoice: 'The same amounts are billed at the end of the running billing period.',
  },
  invoicing_interval_unit: INTERVALS,
  reset_interval_unit: INTERVALS,
  make_active_type: {
    replace_on_renewal: 'They renew to the new version.',
    grandfather: 'They keep and renew their own version.',
  },
  metric_type: {
    counter: 'Aggregates the events of a window.',
    gauge: 'Follows a level, such as seats, weighted by time.',
    rate: 'The highest usage of any part of the window, such as requests an hour.',
    custom: 'Not available: refused with `invalid_operation`.',
  },
  operator: {
    gte: 'At least.',
    gt: 'More than.',
    eq: 'Exactly.',
    lt: 'Less than.',
    lte: 'At most.',
    isin: 'One of the values.',
    isnotin: 'None of the values.',
  },
  payment_status: {
    ...PAYMENT,
    draft: 'Computed and not issued.',
    voided: 'Taken back; nothing is due and nothing of it counts.',
  },
  price_adjustment_type: {
    percentage: 'Changes the price by so many percent.',
    fixed: 'Changes the price by this amount.',
    price_override: 'The amount replaces the price.',
  },
  proration_basis: {
    second: 'By exact time.',
    day: 'By days of the time zone: a started day counts whole.',
  },
  scope: {
    ingest: 'Sends usage, and nothing else.',
    read: 'Reads everything but keys, webhooks and evidence with personal data.',
    write: 'Reads, changes; no settings, keys, webhooks, erasure, test clock or retries of parked work.',
    admin: 'Everything within the organization.',
  },
  'BulkChange.status': { running: 'Some subscriptions are not changed yet.', done: 'Every one is changed.' },
  'BulkChange.type': {
    change: 'An update of end or renewal.',
    cancel: 'A cancellation.',
    switch: 'A switch to another plan.',
  },
  'Credit.status': CREDIT,
  'listCredits.status': CREDIT,
  'IdsReceived.status': { success: 'The ids were looked for.' },
  'listInvoices.status': PAYMENT,
  ordering: ORDERINGS,
  'Plan.status': { active: 'Not deleted.', archived: 'Deleted.' },
  'PlanVersion.status': {
    active: 'Sold now.',
    retiring: 'No longer sold; its subscriptions renew to another version.',
    grandfathered: 'No longer sold; its subscriptions renew to it.',
    deleted: 'Deleted.',
    inactive: 'No longer sold, and nobody is subscribed.',
    not_started: 'Not sold yet.',
  },
  'listSubscriptions.status': {
    active: 'Started and not ended.',
    ended: 'Ended.',
    not_started: 'Not started yet.',
  },
  'WebhookDelivery.status': {
    pending: 'Waits for its next attempt.',
    delivered: 'The endpoint took it.',
    dead: 'Given up after a day of attempts.',
  },
  'listWebhookDeliveries.status': {
    pending: 'Waits for its next attempt.',
    delivered: 'The endpoint took it.',
    dead: 'Given up after a day of attempts.',
  },
  success: {
    all: 'Every event is stored.',
    some: 'Some events are stored; `failed_events` says which are not, and why.',
    none: 'No event is stored.',
  },
  trigger: TRIGGERS,
  triggers: TRIGGERS,
  type: {
    flat: 'One price for any usage in the range.',
    per_unit: 'A price for each batch of units in the range.',
    free: 'Costs nothing.',
  },
  'FieldError.code': FIELD_ERROR_CODES,
  media_type: { 'image/png': 'PNG.', 'image/jpeg': 'JPEG.' },
  'UsageWindow.state': {
    running: 'It ends in the future.',
    ended: 'It waits for its billing run.',
    closed: 'Billing counted it.',
    not_charged: 'A cancellation left it without a charge.',
  },
  'StoredEvent.state': {
    counted: 'Billing counted it.',
    pending: 'Its window waits for its billing run.',
    late: 'It came after its window was counted and waits for the next run.',
    not_charged: 'A cancellation left its window without a charge.',
    uncounted: 'Nothing counts it.',
  },
  'CountingWindow.state': {
    counted: 'Billing counted it.',
    pending: 'The window waits for its billing run.',
    late: 'It came after the window was counted and waits for the next run.',
    not_charged: 'A cancellation left the window without a charge.',
  },
  'listEvents.state': {
    counted: 'Events that billing counted.',
    pending: 'Events whose window waits for its billing run.',
    late: 'Events that came after their window was counted.',
    not_charged: 'Events in a window without a charge.',
    uncounted: 'Events that nothing counts.',
  },
  'StoredEvent.reason': {
    unknown_customer: 'No customer has this id.',
    unknown_event_name: 'No metric counts this name.',
    no_subscription: 'No subscription has such a metric at its time.',
    filtered_out: 'Filters of the metric or subscription exclude it.',
  },
  threshold_type: {
    units: 'Units of the metric.',
    amount: 'Cost of the usage, before adjustments and tax.',
  },
  'getUsage.granularity': {
    hour: 'Hours.',
    day: 'Days of the time zone.',
    month: 'Months of the time zone.',
    window: 'Billing windows.',
  },
  'getUsageByDay.granularity': { day: 'Days of UTC.', month: 'Months of UTC.' },
  'getUsageByMetric.granularity': { day: 'Days of UTC.', month: 'Months of UTC.' },
  include: { pdf: 'PDFs; they show persons.', personal_data: 'Customer details; scope `admin`.' },
  what: {
    recurring_charge: 'A recurring charge.',
    prepaid_units: 'Prepaid units.',
    usage: 'Usage.',
    usage_paid_by_prepaid_units: 'Usage that prepaid units have paid.',
  },
  title: ERROR_CODES,
  usage_behavior: {
    transfer_to_new_subscription:
      'The running usage moves to the new subscription, which prices all of it by its own tiers at the end of the period.',
    keep_separate:
      'The old subscription bills its usage by its own tiers when its period ends; the new one starts at 0.',
    bill_full: 'The usage so far is billed.',
    bill_none: 'Usage that no invoice has billed is dropped.',
  },
  version: { custom_version: 'The version is made for named customers.' },
  version_custom_type: {
    custom_only: 'Versions that have target customers.',
    public_only: 'Versions that have none.',
    all: 'Both.',
  },
  version_status: {
    active: 'Started and not ended.',
    ended: '`active_to` is in the past.',
    not_started: '`active_from` is in the future or null.',
  },
};
