import type { DerivedView } from '../runtime/derived-views.js';
import { CURRENCY, MONTH, NOW_OF, ORG } from './shared.js';

/** Months that an interval has, in a year of 365.25 days. */
const monthsOf = (interval: string): string =>
  `((${interval} ->> 'count')::numeric * case ${interval} ->> 'unit'
    when 'year' then 12 when 'month' then 1 when 'week' then 7 / 30.4375 else 1 / 30.4375 end)`;

/** Recurring charges per month, from their JSON; a charge without interval of its own is owed once per period. */
const perMonth = (charges: string, duration: string): string =>
  `coalesce((select sum((charge ->> 'amount')::numeric
      / ${monthsOf(`coalesce(nullif(charge -> 'resetInterval', 'null'), ${duration})`)})
    from jsonb_array_elements(${charges}) charge), 0)`;

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

/** Plans and recurring add-ons, one row per term: from when to when they run, and what they cost a month. */
const ITEMS = `
  select s.org, s.customer_key, s.currency, s.start_at, greatest(0, ${ADJUSTED}) as monthly,
    case when s.state = 'open' and s.auto_renew then 'infinity' else s.end_at end as end_at
  from subscriptions s
  join plan_versions v using (org, version_id)
  cross join lateral (select ${perMonth('v.recurring_charges', `s.basis -> 'duration'`)} as monthly) base
  union all
  select s.org, s.customer_key, s.currency, a.start_at,
    a.quantity * ${perMonth('d.recurring_charges', `s.basis -> 'duration'`)},
    coalesce(a.cancelled_at, case when s.state = 'open' and s.auto_renew then 'infinity' else s.end_at end)
  from subscription_addons a
  join subscriptions s using (org, subscription_id)
  join addons d on d.org = a.org and d.addon_id = a.addon_id
  where a.billing_frequency = 'recurring'`;

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
  from (
    select i.org, i.customer_key, i.currency, i.monthly, m.month
    from (${ITEMS}) i
    cross join lateral ${NOW_OF('i.org')} clock
    cross join lateral generate_series(date_trunc('month', i.start_at at time zone 'UTC'),
      date_trunc('month', least(i.end_at, clock.now) at time zone 'UTC'), interval '1 month') as m (month)
    cross join lateral (select least(clock.now,
      (m.month + interval '1 month') at time zone 'UTC' - interval '1 microsecond') as instant) at
    where i.start_at <= at.instant and i.end_at > at.instant
  ) running group by org, month, customer_key, currency`,
};

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
  from (
    select org, month, customer_key, currency, mrr, case when lag(month) over w = (month - interval '1 month')::date
      then lag(mrr) over w else 0 end as before
    from analytics.mrr_by_customer
    window w as (partition by org, customer_key, currency order by month)
    union all
    select ended.org, (month + interval '1 month')::date, customer_key, currency, 0, mrr
    from (
      select org, month, customer_key, currency, mrr, lead(month) over w as later
      from analytics.mrr_by_customer
      window w as (partition by org, customer_key, currency order by month)
    ) ended
    cross join lateral ${NOW_OF('ended.org')} clock
    where later is distinct from (month + interval '1 month')::date
      and month + interval '1 month' <= clock.now at time zone 'UTC'
  ) pairs where mrr <> before`,
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
  sql: `select org, month, currency, count(*) filter (where mrr > 0), coalesce(sum(mrr), 0), ${[
    'new',
    'expansion',
    'contraction',
    'churn',
  ]
    .map((movement) => `coalesce(sum(amount) filter (where movement = '${movement}'), 0)`)
    .join(', ')}
  from (
    select org, month, currency, mrr, null as movement, null::numeric as amount from analytics.mrr_by_customer
    union all
    select org, month, currency, null, movement, amount from analytics.mrr_movements
  ) both_of group by org, month, currency`,
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
