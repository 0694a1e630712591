import type { DerivedView } from '../runtime/derived-views.js';
import { CURRENCY, MONTH, ORG } from './shared.js';

const invoices: DerivedView = {
  name: 'invoices',
  comment: 'Issued invoices, one row each; drafts are not in it.',
  columns: {
    org: ORG,
    invoice_id: { type: 'uuid', comment: 'The invoice' },
    invoice_number: { type: 'text', comment: 'Number that the customer reads' },
    customer_key: { type: 'uuid', comment: 'Customer who owes it' },
    currency: CURRENCY,
    month: { type: 'date', comment: 'Month of issue, UTC: its first day' },
    issued_at: { type: 'timestamp with time zone', comment: 'Issue date' },
    due_at: {
      type: 'timestamp with time zone',
      comment: 'When payment is due; null: the organization sets no date',
    },
    paid_at: { type: 'timestamp with time zone', comment: 'When it was paid from outside; null: not' },
    voided_at: { type: 'timestamp with time zone', comment: 'When it was voided; null: not' },
    status: { type: 'text', comment: 'paid, unpaid or voided' },
    amount: { type: 'numeric', comment: 'Sum of its lines, tax and credits included' },
    cost_due: { type: 'numeric', comment: 'Still to be paid; 0 when paid or voided' },
  },
  sql: `select org, invoice_id, invoice_number, customer_key, currency,
    date_trunc('month', issued_at at time zone 'UTC')::date, issued_at, due_at, paid_at, voided_at,
    case when voided_at is null then payment_status else 'voided' end, amount,
    case when voided_at is null then cost_due else 0 end
  from invoices where invoice_number is not null`,
};

const invoiceLines: DerivedView = {
  name: 'invoice_lines',
  comment: 'Lines of issued invoices that are not voided, one row each.',
  columns: {
    org: ORG,
    invoice_id: { type: 'uuid', comment: 'Invoice it stands on' },
    line_no: { type: 'integer', comment: 'Place on the invoice, from 1' },
    customer_key: { type: 'uuid', comment: 'Customer who owes it' },
    currency: CURRENCY,
    month: { type: 'date', comment: 'Month in which the invoice was issued, UTC: its first day' },
    rule: {
      type: 'text',
      comment:
        'recurring_charge, prepaid_units, usage, credit_purchase, credit_drawdown, credit_grant or invoice_reduction',
    },
    name: { type: 'text', comment: 'Name that the customer reads' },
    plan_name: { type: 'text', comment: 'Plan; null: none, as for credits' },
    addon_name: { type: 'text', comment: 'Add-on; null: none' },
    metric_name: { type: 'text', comment: 'Metric of a usage line that was counted; else null' },
    start_at: { type: 'timestamp with time zone', comment: 'First instant it covers' },
    end_at: { type: 'timestamp with time zone', comment: 'End of what it covers, exclusive' },
    quantity: { type: 'numeric', comment: 'Units charged; null: the line has no quantity' },
    net: { type: 'numeric', comment: 'Price after adjustments, before tax' },
    tax: { type: 'numeric', comment: 'Tax' },
    amount: { type: 'numeric', comment: 'net + tax' },
  },
  sql: `select l.org, l.invoice_id, l.line_no, i.customer_key, i.currency, i.month, l.rule, l.name, l.plan_name,
    l.addon_name, m.name, l.start_at, l.end_at, l.quantity, l.subtotal, l.tax, l.amount
  from analytics.invoices i
  join invoice_lines l using (org, invoice_id)
  left join usage_closes u on u.org = l.org and u.close_id = l.close_id
  left join metrics m on m.org = u.org and m.metric_id = u.metric_id
  where i.voided_at is null`,
};

const invoicedByMonth: DerivedView = {
  name: 'invoiced_by_month',
  comment:
    'Amounts of invoices that are not voided, by month of issue and by the rule of the line. All rows of a month add up to the amounts of its invoices.',
  columns: {
    org: ORG,
    month: MONTH,
    currency: CURRENCY,
    rule: { type: 'text', comment: 'Rule of the lines, as in invoice_lines' },
    plan_name: { type: 'text', comment: 'Plan; null: none' },
    lines: { type: 'bigint', comment: 'Number of lines' },
    net: { type: 'numeric', comment: 'Before tax' },
    tax: { type: 'numeric', comment: 'Tax' },
    amount: { type: 'numeric', comment: 'net + tax' },
  },
  sql: `select org, month, currency, rule, plan_name, count(*), sum(net), sum(tax), sum(amount)
  from analytics.invoice_lines group by org, month, currency, rule, plan_name`,
};

const invoicesByMonth: DerivedView = {
  name: 'invoices_by_month',
  comment: 'Invoices that are not voided, by month of issue, and what of them is still to be paid.',
  columns: {
    org: ORG,
    month: MONTH,
    currency: CURRENCY,
    invoices: { type: 'bigint', comment: 'Number of invoices' },
    invoiced: { type: 'numeric', comment: 'Sum of their amounts, tax and credits included' },
    paid: { type: 'numeric', comment: 'invoiced − open: paid, or settled by a later invoice' },
    open: { type: 'numeric', comment: 'Still to be paid, as of now' },
  },
  sql: `select org, month, currency, count(*), sum(amount), sum(amount - cost_due), sum(cost_due)
  from analytics.invoices where voided_at is null group by org, month, currency`,
};

const revenueByMonth: DerivedView = {
  name: 'revenue_by_month',
  comment:
    'Invoiced charges before tax, by month of issue and plan: recurring charges, prepaid units and usage. Selling or drawing credit is no revenue.',
  columns: {
    org: ORG,
    month: MONTH,
    currency: CURRENCY,
    plan_name: { type: 'text', comment: 'Plan' },
    recurring: { type: 'numeric', comment: 'Recurring charges of plans and add-ons' },
    prepaid: { type: 'numeric', comment: 'Prepaid units' },
    usage: { type: 'numeric', comment: 'Usage' },
    revenue: { type: 'numeric', comment: 'Sum of the three' },
    tax: { type: 'numeric', comment: 'Tax on them, which is not revenue' },
  },
  sql: `select org, month, currency, plan_name,
    coalesce(sum(net) filter (where rule = 'recurring_charge'), 0),
    coalesce(sum(net) filter (where rule = 'prepaid_units'), 0),
    coalesce(sum(net) filter (where rule = 'usage'), 0), sum(net), sum(tax)
  from analytics.invoiced_by_month where rule in ('recurring_charge', 'prepaid_units', 'usage')
  group by org, month, currency, plan_name`,
};

const receivables: DerivedView = {
  name: 'receivables',
  comment: 'Invoices with an amount still to be paid, one row each, by how long they are overdue.',
  columns: {
    org: ORG,
    invoice_id: { type: 'uuid', comment: 'The invoice' },
    invoice_number: { type: 'text', comment: 'Number that the customer reads' },
    customer_key: { type: 'uuid', comment: 'Customer who owes it' },
    currency: CURRENCY,
    due_at: {
      type: 'timestamp with time zone',
      comment: 'When payment is due; the issue date where the organization sets none',
    },
    days_overdue: { type: 'integer', comment: 'Whole days since then; null: not due yet' },
    bucket: { type: 'text', comment: 'not due, 0-30, 31-60, 61-90 or 90+ days overdue' },
    cost_due: { type: 'numeric', comment: 'Still to be paid' },
  },
  sql: `select org, invoice_id, invoice_number, customer_key, currency, due_at, days,
    case when days is null then 'not due' when days <= 30 then '0-30' when days <= 60 then '31-60'
      when days <= 90 then '61-90' else '90+' end, cost_due
  from (
    select i.org, invoice_id, invoice_number, customer_key, currency, due.due_at, cost_due,
      case when due.due_at <= coalesce(clock.now, now())
        then floor(extract(epoch from coalesce(clock.now, now()) - due.due_at) / 86400)::integer end as days
    from analytics.invoices i
    cross join lateral (select coalesce(i.due_at, i.issued_at) as due_at) due
    left join manual_clock clock on clock.org = i.org
    where cost_due > 0
  ) open`,
};

const receivablesAgeing: DerivedView = {
  name: 'receivables_ageing',
  comment: 'Open amounts by how long they are overdue, one row per customer and currency.',
  columns: {
    org: ORG,
    customer_key: { type: 'uuid', comment: 'Customer who owes them' },
    currency: CURRENCY,
    not_due: { type: 'numeric', comment: 'Not due yet' },
    days_0_30: { type: 'numeric', comment: 'Overdue for up to 30 days' },
    days_31_60: { type: 'numeric', comment: 'Overdue for 31 to 60 days' },
    days_61_90: { type: 'numeric', comment: 'Overdue for 61 to 90 days' },
    days_over_90: { type: 'numeric', comment: 'Overdue for more than 90 days' },
    total: { type: 'numeric', comment: 'Sum of the five' },
  },
  sql: `select org, customer_key, currency, ${['not due', '0-30', '31-60', '61-90', '90+']
    .map((bucket) => `coalesce(sum(cost_due) filter (where bucket = '${bucket}'), 0)`)
    .join(', ')}, sum(cost_due)
  from analytics.receivables group by org, customer_key, currency`,
};

export const INVOICING_VIEWS: readonly DerivedView[] = [
  invoices,
  invoiceLines,
  invoicedByMonth,
  invoicesByMonth,
  revenueByMonth,
  receivables,
  receivablesAgeing,
];
