export const OVERLAP_RESERVATIONS_MIGRATION = `
create table placements (
  org uuid not null,
  subscription_id uuid not null,
  customer_key uuid not null,
  version_id uuid not null,
  start_at timestamptz not null,
  end_at timestamptz,
  filters jsonb not null,
  taken_at timestamptz not null default now(),
  primary key (org, subscription_id)
);
comment on table placements is 'Which version a customer is subscribed to, when and with which filters: taken before the subscription is written, so that no two overlap.';
comment on column placements.org is 'Organization.';
comment on column placements.subscription_id is 'The term that holds the place.';
comment on column placements.customer_key is 'Customer.';
comment on column placements.version_id is 'Plan version.';
comment on column placements.start_at is 'Start of the term.';
comment on column placements.end_at is 'End of the term; null while it renews itself.';
comment on column placements.filters is 'Subscription filters of the term.';
comment on column placements.taken_at is 'When the place was taken (wall time).';
create index placements_customer on placements (org, customer_key, version_id);`;
