import type { DerivedView } from '../runtime/derived-views.js';
import { INVOICING_VIEWS } from './invoicing.js';
import { RECURRING_VIEWS } from './recurring.js';
import { CURRENCY, MONTH, ORG } from './shared.js';
import { USAGE_VIEWS } from './usage.js';

const creditLiability: DerivedView = {
  name: 'credit_liability',
  comment:
    'Credits that customers hold, by month in which something changed: that of the month before + the four changes = balance.',
  columns: {
    org: ORG,
    month: MONTH,
    currency: CURRENCY,
    granted: { type: 'numeric', comment: 'Given, sold or left over from an invoice' },
    sold: { type: 'numeric', comment: 'What of it was sold, at the amount that can be drawn' },
    drawn: { type: 'numeric', comment: 'Taken by invoices; 0 or negative' },
    voided: { type: 'numeric', comment: 'Taken back; 0 or negative' },
    expired: { type: 'numeric', comment: 'No longer to be drawn; 0 or negative' },
    balance: { type: 'numeric', comment: 'Liability at the end of the month; of the current one as of now' },
  },
  sql: `select org, month, currency, sum(granted), sum(sold), sum(drawn), sum(voided), sum(expired),
    sum(sum(granted + drawn + voided + expired)) over (partition by org, currency order by month)
  from (
    select org, date_trunc('month', at at time zone 'UTC')::date as month, currency, granted, sold, drawn, voided,
      expired
    from (
      select c.org, c.currency, change.*
      from credits c
      left join manual_clock clock on clock.org = c.org
      cross join lateral (values
        (c.granted_at, c.amount, case when c.amount_paid > 0 then c.amount else 0 end, 0, 0, 0),
        (c.voided_at, 0, 0, 0, case when c.voided_at is not null then c.amount_remaining - c.amount + (
          select coalesce(sum(d.amount), 0) from credit_drawdowns d where d.org = c.org and d.credit_id = c.credit_id
        ) end, 0),
        (case when c.expires_at <= coalesce(clock.now, now()) then c.expires_at end, 0, 0, 0, 0, -c.amount_remaining)
      ) as change (at, granted, sold, drawn, voided, expired)
      where change.at is not null
      union all
      select d.org, c.currency, d.applied_at, 0, 0, -d.amount, 0, 0
      from credit_drawdowns d join credits c using (org, credit_id)
    ) changes
  ) by_month group by org, month, currency`,
};

const auditLog: DerivedView = {
  name: 'audit_log',
  comment:
    'Every event of the organization in the order of the log: who did what, when, by which key and request. Without personal data.',
  columns: {
    org: ORG,
    recorded_at: { type: 'timestamp with time zone', comment: 'When it was decided, by the domain clock' },
    event_type: { type: 'text', comment: 'Type of the event: SettingsChanged …' },
    subject_kind: { type: 'text', comment: 'Kind of thing it happened to: plan, invoice …' },
    subject_id: { type: 'text', comment: 'Id of that thing, without prefix' },
    customer_key: { type: 'uuid', comment: 'The customer it concerns; null: none' },
    actor: { type: 'text', comment: 'Id of the API key of the caller; system or cli' },
    actor_name: { type: 'text', comment: 'Name of the API key; null: none is known' },
    request_id: { type: 'text', comment: 'X-Request-Id of the request that caused it' },
    command_id: { type: 'uuid', comment: 'The command that caused it' },
    event_id: { type: 'uuid', comment: 'The event' },
    stream: {
      type: 'text',
      comment: 'Stream that the event is in: with the revision it names the event’s proof',
    },
    revision: { type: 'bigint', comment: 'Its revision in the stream' },
    changes: { type: 'jsonb', comment: 'Data of the event, without personal data and long parts' },
    left_out: { type: 'jsonb', comment: 'Names of the parts that are left out' },
  },
  sql: `select e.org, e.recorded_at, e.type, e.subject_kind, e.subject_id, coalesce(e.customer_key, t.customer_key),
    e.actor, k.name, e.request_id, e.command_id, e.event_id, e.stream, e.stream_revision, e.changes, e.left_out
  from audit_entries e
  left join subscriptions t on t.org = e.org
    and t.subscription_id = case when e.subject_kind = 'subscription' then e.subject_id::uuid end
  left join api_keys k on k.org = e.org and k.id::text = e.actor
  order by e.org, e.commit, e.prepare`,
};

/** Views for analysts, in the order in which they can be created. */
export const ANALYTICS_VIEWS: readonly DerivedView[] = [
  ...INVOICING_VIEWS,
  ...RECURRING_VIEWS,
  creditLiability,
  ...USAGE_VIEWS,
  auditLog,
];
