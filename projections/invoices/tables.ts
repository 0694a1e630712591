import type {
  InvoiceLineRow,
  InvoiceRow,
  ClosedUsagePeriodRow,
} from '../../src/billing/read-models/invoices.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const invoices: ReadModelTable<InvoiceRow> = {
  comment: 'Invoices, one row each, from their computation on. Lines are in invoice_lines.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    invoice_id: { type: 'uuid not null', comment: 'The invoice; on the wire with the prefix invoice_' },
    invoice_number: {
      type: 'text',
      comment: 'YYMMDD-000001, without gap per organization and UTC issue day; null until it is issued',
    },
    customer_key: { type: 'uuid not null', comment: 'Customer who owes it' },
    currency: { type: 'text not null', comment: 'Currency of every amount in it, ISO 4217' },
    amount: {
      type: 'numeric not null',
      comment: 'Sum of its lines, tax and credits included, in major units',
    },
    cost_due: { type: 'numeric not null', comment: 'Still to be paid, in major units; 0 when paid' },
    payment_status: {
      type: 'text not null',
      comment: 'draft until it has its number, then unpaid or paid; an invoice of 0 is paid at issue',
    },
    issued_at: { type: 'timestamptz not null', comment: 'Issue date' },
    due_at: { type: 'timestamptz', comment: 'When payment is due; null: the organization sets no date' },
    paid_at: {
      type: 'timestamptz',
      comment: 'When it was paid from outside; null: not yet, or nothing was to be paid in the end',
    },
    voided_at: { type: 'timestamptz', comment: 'When it was voided; null: it was not' },
    external_payment_obj_id: { type: 'text', comment: 'Its object at the payment provider' },
    external_payment_obj_type: { type: 'text', comment: 'Which provider: provider_a or provider_b' },
    external_payment_obj_status: { type: 'text', comment: 'Status at the payment provider' },
    start_date: { type: 'date not null', comment: 'First day its lines cover, in the zone of the customer' },
    end_date: { type: 'date not null', comment: 'Last day its lines cover, in the zone of the customer' },
    run_id: { type: 'uuid not null', comment: 'Billing run that computed it' },
    fingerprint: {
      type: 'text not null',
      comment: 'sha256 of everything it was computed from, by stream revision',
    },
    result_hash: { type: 'text not null', comment: 'sha256 of its lines and totals in canonical JSON' },
    policy: {
      type: 'text not null',
      comment: 'Version of the rounding, proration and drawdown rules it was computed by',
    },
    computed_revision: {
      type: 'bigint not null',
      comment: 'Revision of its InvoiceComputed in the stream of the account: what a verification reads',
    },
    stream_revision: {
      type: 'bigint not null',
      comment: 'Revision of the account that the row shows',
    },
  },
  key: ['org', 'invoice_id'],
  indexes: [
    '(org, issued_at desc, (length(invoice_number)) desc, invoice_number desc) where invoice_number is not null',
    '(org, customer_key, issued_at desc, invoice_id)',
    '(org, invoice_number)',
    '(org, issued_at, invoice_id)',
    `(org, (coalesce(due_at, 'infinity'::timestamptz)), invoice_id)`,
    '(org, currency, amount, invoice_id)',
    '(org, currency, cost_due, invoice_id)',
    `(org, customer_key, currency) include (cost_due) where payment_status = 'unpaid'`,
  ],
};

export const invoiceLines: ReadModelTable<InvoiceLineRow> = {
  comment: 'Lines of invoices, one row each.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    invoice_id: { type: 'uuid not null', comment: 'Invoice it stands on' },
    line_no: { type: 'integer not null', comment: 'Place on the invoice, from 1' },
    charge_key: {
      type: 'text not null',
      comment: 'Charge key: term, billing period, charge or component, window. Lines of one key add up',
    },
    subscription_id: { type: 'uuid', comment: 'Term it charges; null: none, as for credits' },
    plan_id: { type: 'uuid', comment: 'Plan of that term' },
    plan_version_id: { type: 'uuid', comment: 'Version of the plan that prices that term' },
    plan_name: { type: 'text', comment: 'Name of the plan when the line was made' },
    plan_version: { type: 'integer', comment: 'Public number of the version; 0 for a custom one' },
    subscription_filters: { type: 'jsonb', comment: 'Filters of that term: [{propertyName, value}]' },
    addon_id: { type: 'uuid', comment: 'Add-on whose price it is; null: the plan’s' },
    addon_subscription_id: { type: 'uuid', comment: 'That add-on on the term' },
    addon_name: { type: 'text', comment: 'Name of the add-on' },
    name: { type: 'text not null', comment: 'Name that the customer reads' },
    billing_type: {
      type: 'text not null',
      comment: 'in_advance, in_arrears, intermediate (part of a running window) or one_time',
    },
    start_at: { type: 'timestamptz not null', comment: 'First instant it covers' },
    end_at: { type: 'timestamptz not null', comment: 'End of what it covers, exclusive' },
    scheduled_end: {
      type: 'boolean not null',
      comment: 'True: that end is a boundary of the schedule; false: somebody set it',
    },
    start_date: { type: 'date not null', comment: 'Day of start_at in the zone of the term' },
    end_date: { type: 'date not null', comment: 'Last day it covers, in the zone of the term' },
    quantity: {
      type: 'numeric',
      comment: 'Units charged, at most 10 decimals; null where a line has no quantity',
    },
    base: { type: 'numeric not null', comment: 'Price before adjustments and tax, in major units' },
    plan_adjustment: { type: 'numeric not null', comment: 'Price adjustment of the plan; 0 without one' },
    subtotal: { type: 'numeric not null', comment: 'base + adjustments other than tax' },
    tax: { type: 'numeric not null', comment: 'Tax; 0 without one' },
    amount: { type: 'numeric not null', comment: 'subtotal + tax' },
    adjustments: {
      type: 'jsonb not null',
      comment: 'Array of {amount, account, type}: every adjustment with its ledger account',
    },
    tax_rate: { type: 'numeric', comment: 'Tax rate in percent; null: no tax was asked for' },
    rule: {
      type: 'text not null',
      comment:
        'Rule: recurring_charge, prepaid_units, usage, credit_purchase, credit_drawdown, credit_grant or invoice_reduction',
    },
    fraction: { type: 'text', comment: 'Share of a full period that is charged, as n/d; null: not prorated' },
    close_id: { type: 'uuid', comment: 'Count of usage_closes that a usage line was rated from' },
    previous_close_id: {
      type: 'uuid',
      comment: 'Earlier count of the same window, where the line bills the difference',
    },
  },
  key: ['org', 'invoice_id', 'line_no'],
  indexes: ['(org, subscription_id)'],
};

export const closedUsagePeriods: ReadModelTable<ClosedUsagePeriodRow> = {
  comment: 'Closed usage periods, one row each, with their evidence.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    close_id: { type: 'uuid not null', comment: 'The count' },
    customer_key: { type: 'uuid not null', comment: 'Customer whose usage it is' },
    charge_key: { type: 'text not null', comment: 'The lines rated from it have the same' },
    subscription_id: { type: 'uuid not null', comment: 'Term that is charged for it' },
    metric_id: { type: 'uuid not null', comment: 'Metric that was counted' },
    window_start: { type: 'timestamptz not null', comment: 'First instant counted' },
    window_end: { type: 'timestamptz not null', comment: 'End of the counted time, exclusive' },
    quantity: { type: 'numeric not null', comment: 'Quantity, at most 10 decimals' },
    event_count: { type: 'bigint not null', comment: 'Events counted' },
    absent_values: {
      type: 'bigint not null',
      comment: 'Events whose value is not a number, counted as absent',
    },
    sealed_up_to: {
      type: 'bigint not null',
      comment: 'Batches of usage_batches with a sealed_number up to this were counted',
    },
    digest: {
      type: 'text not null',
      comment:
        "sha256 over the body hashes of the events, in order of id; of a continued gauge over the earlier count's digest and that of later events",
    },
    supersedes: { type: 'uuid', comment: 'Count of the same window that this one replaces' },
  },
  key: ['org', 'close_id'],
  indexes: ['(org, subscription_id, window_start)', '(org, window_end desc, close_id)'],
};
