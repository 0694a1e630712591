import { settingVersionsMigration } from '../platform/database/setting-versions.js';

/** Thresholds of usage, and the windows in which they were reached. */
export const USAGE_ALERTS_MIGRATION = `
create table usage_alerts (
  alert_id uuid primary key,
  org uuid not null,
  name text not null,
  metric_id uuid not null,
  customer_key uuid,
  plan_id uuid,
  measure text not null check (measure in ('units', 'amount')),
  threshold numeric not null,
  created_at timestamptz not null,
  check ((customer_key is null) <> (plan_id is null))
);
create index usage_alerts_org on usage_alerts (org, created_at, alert_id);
comment on table usage_alerts is 'Thresholds of usage that webhooks tell of. They change nothing that is owed.';
comment on column usage_alerts.alert_id is 'The alert.';
comment on column usage_alerts.org is 'Tenant.';
comment on column usage_alerts.name is 'What it is for, in its owner''s words.';
comment on column usage_alerts.metric_id is 'Metric whose usage it watches.';
comment on column usage_alerts.customer_key is 'Customer that it watches; null for one that watches a plan.';
comment on column usage_alerts.plan_id is 'Plan whose subscribers it watches, each for itself; null for one that watches a customer.';
comment on column usage_alerts.measure is 'Whether the threshold is in units of the metric or in the cost of its usage, in major units.';
comment on column usage_alerts.threshold is 'It is reached by this much usage of a window, or more.';
comment on column usage_alerts.created_at is 'When it was made.';

create table usage_alert_firings (
  firing_id uuid primary key,
  org uuid not null,
  alert_id uuid not null references usage_alerts on delete cascade,
  customer_key uuid not null,
  subscription_id uuid not null,
  window_start timestamptz not null,
  window_end timestamptz not null,
  threshold numeric not null,
  quantity numeric not null,
  amount numeric not null,
  currency text not null,
  triggered_at timestamptz not null,
  noted_at timestamptz not null default clock_timestamp()
);
create index usage_alert_firings_noted on usage_alert_firings (org, noted_at);
create index usage_alert_firings_alert on usage_alert_firings (alert_id);
comment on table usage_alert_firings is 'One row per alert, threshold, term and window in which it was reached. Instants are domain time but for noted_at.';
comment on column usage_alert_firings.firing_id is 'uuid v5 of alert, threshold, term, metric and window: a window is told once.';
comment on column usage_alert_firings.org is 'Tenant.';
comment on column usage_alert_firings.alert_id is 'Alert that was triggered.';
comment on column usage_alert_firings.customer_key is 'Customer whose usage it was.';
comment on column usage_alert_firings.subscription_id is 'Term that the usage counts for.';
comment on column usage_alert_firings.window_start is 'First instant of the billing window.';
comment on column usage_alert_firings.window_end is 'End of the window, exclusive.';
comment on column usage_alert_firings.threshold is 'Threshold that was reached.';
comment on column usage_alert_firings.quantity is 'Usage of the window when it was noticed.';
comment on column usage_alert_firings.amount is 'Cost of that usage in major units, before adjustments and tax.';
comment on column usage_alert_firings.currency is 'Currency of the amount, ISO 4217.';
comment on column usage_alert_firings.triggered_at is 'When it was noticed.';
comment on column usage_alert_firings.noted_at is 'Wall time of that.';

create table usage_alert_positions (
  org uuid primary key,
  sealed_up_to bigint not null
);
comment on table usage_alert_positions is 'How far the usage of each tenant with alerts was looked through.';
comment on column usage_alert_positions.org is 'Tenant.';
comment on column usage_alert_positions.sealed_up_to is 'Number of the last batch that was looked at.';
`;

export const USAGE_ALERT_VERSIONS_MIGRATION = settingVersionsMigration('usage_alerts', ['name', 'threshold']);

export const RECORDED_ALERTS_MIGRATION = `
alter table usage_alerts add column recorded boolean;
comment on column usage_alerts.recorded is 'Whether an event created it. Null: it is older than such events.';`;
