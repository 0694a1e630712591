import type { DerivedView } from '../runtime/derived-views.js';
import { CURRENCY, MONTH, ORG } from './shared.js';

/** Number of months in an interval; a year has 365.25 days. */
const monthsOf = (interval: string): string =>
  `((${interval} -> 'count')::numeric * case ${interval} ->> 'unit'
    when 'month' then 1 when 'year' then 12 when 'week' then 7 / 30.4375 else 1 / 30.4375 end)`;

/**
 * Adds up the recurring charges of each row of a table. `each_month` has the charges with an interval of
 * their own, per month; `each_period` has those owed once per period.
 */
const CHARGES = (table: string, ...columns: readonly string[]): string => `(
    select ${columns.map((column) => `priced.${column}`).join(', ')},
      coalesce(sum((charge ->> 'amount')::numeric / ${monthsOf(`(charge -> 'resetInterval')`)})
        filter (where jsonb_typeof(charge -> 'resetInterval') = 'object'), 0) as each_month,
      coalesce(sum((charge ->> 'amount')::numeric)
        filter (where jsonb_typeof(charge -> 'resetInterval') is distinct from 'object'), 0) as each_period
    from ${table} priced left join lateral jsonb_array_elements(priced.recurring_charges) as charge on true
    group by ${columns.map((column) => `priced.${column}`).join(', ')}
  )`;

/** A plan's monthly amount after its price adjustment, never below 0 (docs/billing.md#price-adjustments). */
const ADJUSTED = `case
  when base.monthly = 0 then 0
  when v.price_adjustment ->> 'type' = 'percentage'
    then base.monthly * (1 + (v.price_adjustment ->> 'amount')::numeric / 100)
  when v.price_adjustment ->> 'type' = 'fixed'
    then base.monthly + (v.price_adjustment ->> 'amount')::numeric / ${monthsOf(`s.basis -> 'duration'`)}
  when v.price_adjustment ->> 'type' = 'price_override'
    then (v.price_adjustment ->> 'amount')::numeric / ${monthsOf(`s.basis -> 'duration'`)}
  else base.monthly end`;

/** Plans and recurring add-ons, one row per term: when they run and what they cost a month. */
const ITEMS = `
  select s.org, s.customer_key, s.currency, s.start_at, greatest(0, ${ADJUSTED}) as monthly,
    case when s.state = 'open' and s.auto_renew then 'infinity' else s.end_at end as end_at
  from subscriptions s
  join ${CHARGES('plan_versions', 'org', 'version_id', 'price_adjustment')} v using (org, version_id)
  cross join lateral (select v.each_month + v.each_period / ${monthsOf(`s.basis -> 'duration'`)} as monthly) base
  union all
  select s.org, s.customer_key, s.currency, a.start_at,
    a.quantity * (d.each_month + d.each_period / ${monthsOf(`s.basis -> 'duration'`)}),
    coalesce(a.cancelled_at, case when s.state = 'open' and s.auto_renew then 'infinity' else s.end_at end)
  from subscription_addons a
  join subscriptions s using (org, subscription_id)
  join ${CHARGES('addons', 'org', 'addon_id')} d on d.org = a.org and d.addon_id = a.addon_id
  where a.billing_frequency = 'recurring'`;

/** One row per item and month at whose end the item runs. The current month counts as of now. */
const RUNNING = `(
    select org, customer_key, currency, monthly, month, next_month, now
    from (
      select i.org, i.customer_key, i.currency, i.monthly, i.start_at, i.end_at, coalesce(clock.now, now()) as now,
        generate_series(date_trunc('month', i.start_at at time zone 'UTC'),
          date_trunc('month', least(i.end_at, coalesce(clock.now, now())) at time zone 'UTC'), interval '1 month') as month
      from (${ITEMS}) i
      left join manual_clock clock on clock.org = i.org
    ) each_month
    cross join lateral (select month + interval '1 month' as next_month) following
    cross join lateral (select least(now, next_month at time zone 'UTC' - interval '1 microsecond') as instant) at
    where start_at <= at.instant and end_at > at.instant
  )`;

const mrrByCustomer: DerivedView = {
  name: 'mrr_by_customer',
  comment:
    'Monthly recurring revenue at the end of each month, one row per customer with a running subscription; of the current month as of now.',
  columns: {
    org: ORG,
    month: MONTH,
    customer_key: { type: 'uuid', comment: 'Customer' },
    currency: CURRENCY,
    mrr: {
      type: 'numeric',
      comment:
        'Recurring charges of the running plans and add-ons, brought to a month; 4 decimals. 0 with usage only',
    },
  },
  sql: `select org, month::date, customer_key, currency, round(sum(monthly), 4)
  from ${RUNNING} running group by org, month, customer_key, currency`,
};

/**
 * Recurring revenue of customers at the end of a month and of the month before. A month has a row if either
 * end has a running subscription. Each amount is added twice: to its own month, and to the next month as the
 * amount before.
 */
const STEPS = `(
    select org, customer_key, currency, at.month::date as month, bool_or(at.is_running) as is_running,
      round(coalesce(sum(monthly) filter (where at.is_running), 0), 4) as mrr,
      round(coalesce(sum(monthly) filter (where not at.is_running), 0), 4) as before
    from ${RUNNING} running
    cross join (values (true), (false)) as at_end (is_running)
    cross join lateral (select case when at_end.is_running then month else next_month end as month, at_end.is_running) at
    where at.is_running or next_month <= now at time zone 'UTC'
    group by org, customer_key, currency, at.month
  ) steps`;

const mrrMovements: DerivedView = {
  name: 'mrr_movements',
  comment:
    'Changes of monthly recurring revenue from the end of one month to the next, one row per customer that changed.',
  columns: {
    org: ORG,
    month: MONTH,
    customer_key: { type: 'uuid', comment: 'Customer' },
    currency: CURRENCY,
    movement: {
      type: 'text',
      comment:
        'new (from 0, also of a customer who returns), expansion, contraction (above 0) or churn (to 0)',
    },
    amount: { type: 'numeric', comment: 'The change; negative for contraction and churn' },
  },
  sql: `select org, month, customer_key, currency,
    case when before = 0 then 'new' when mrr = 0 then 'churn' when mrr > before then 'expansion'
      else 'contraction' end, mrr - before
  from ${STEPS} where mrr <> before`,
};

const mrr: DerivedView = {
  name: 'mrr',
  comment:
    'Monthly recurring revenue by month, with its movements: that of the month before + the four movements = mrr.',
  columns: {
    org: ORG,
    month: MONTH,
    currency: CURRENCY,
    customers: { type: 'bigint', comment: 'Customers with an amount above 0' },
    mrr: { type: 'numeric', comment: 'At the end of the month; of the current one as of now' },
    new: { type: 'numeric', comment: 'From customers who paid nothing recurring the month before' },
    expansion: { type: 'numeric', comment: 'From customers who pay more' },
    contraction: { type: 'numeric', comment: 'From customers who pay less; 0 or negative' },
    churn: { type: 'numeric', comment: 'From customers who pay nothing recurring any more; 0 or negative' },
  },
  sql: `select org, month, currency, count(*) filter (where mrr > 0), sum(mrr), ${[
    'before = 0 and mrr > 0',
    'before > 0 and mrr > before',
    'mrr > 0 and mrr < before',
    'mrr = 0 and before > 0',
  ]
    .map((movement) => `coalesce(sum(mrr - before) filter (where ${movement}), 0)`)
    .join(', ')}
  from ${STEPS} where is_running or before > 0 group by org, month, currency`,
};

const cohorts: DerivedView = {
  name: 'cohorts',
  comment:
    'Customers by the first month at whose end they had a running subscription, and how many of them have one in each later month.',
  columns: {
    org: ORG,
    cohort: { type: 'date', comment: 'That first month' },
    currency: CURRENCY,
    months_since: { type: 'integer', comment: '0 in the first month' },
    customers: { type: 'bigint', comment: 'Customers of the cohort with a running subscription' },
    cohort_size: { type: 'bigint', comment: 'Customers of the cohort in its first month' },
    mrr: { type: 'numeric', comment: 'Their monthly recurring revenue' },
  },
  sql: `select org, cohort, currency, months_since, count(*),
    first_value(count(*)) over (partition by org, cohort, currency order by months_since), sum(mrr)
  from (
    select org, currency, mrr, cohort,
      (extract(year from age(month, cohort)) * 12 + extract(month from age(month, cohort)))::integer as months_since
    from (
      select org, currency, mrr, month, min(month) over (partition by org, customer_key, currency) as cohort
      from analytics.mrr_by_customer
    ) firsts
  ) months group by org, cohort, currency, months_since`,
};

export const RECURRING_VIEWS: readonly DerivedView[] = [mrrByCustomer, mrrMovements, mrr, cohorts];
