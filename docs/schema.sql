-- The schema that the migrations make (src/migrations.ts), without the read models (docs/read-models.md).
-- Generated: npm run docs:schema. test/platform/database/schema.spec.ts holds that it is current.

-- API keys; only their hashes are kept. All times are wall time.
CREATE TABLE api_keys (
  id uuid NOT NULL, -- The actor in the metadata of what was done with the key.
  org uuid NOT NULL, -- Tenant.
  prefix text NOT NULL, -- Finds the row of a key, and names the key to people.
  key_hash bytea NOT NULL, -- SHA-256 of the whole key, which is random enough that a slow hash would add nothing.
  name text NOT NULL, -- What the key is for, in its owner's words.
  scope text NOT NULL, -- ingest (sends usage, reads nothing), read, write or admin; each of the last three includes those before it.
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone, -- Refused from then on; null: never.
  revoked_at timestamp with time zone, -- Refused from then on; null: not revoked.
  recorded boolean, -- Whether the event that creates it is in the log; refused while false. Null: it is older than such events.
  seal bytea, -- Keyed hash of id, tenant, hash, scope and expiry, under a key of MASTER_KEY: a key with another one is refused. Null: it is used only if its events confirm it, which sets the seal.
  UNIQUE (prefix),
  PRIMARY KEY (id),
  CHECK ((scope = ANY (ARRAY['ingest'::text, 'read'::text, 'write'::text, 'admin'::text])))
);
CREATE INDEX api_keys_org ON public.api_keys USING btree (org, created_at);

-- Names and ids that are unique in a tenant, taken before the stream that owns them is written.
CREATE TABLE claims (
  org uuid NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  owner_stream text NOT NULL,
  taken_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (org, kind, key)
);
CREATE INDEX claims_owner ON public.claims USING btree (owner_stream) WHERE (kind = 'email'::text);

-- Browsers that are logged in to the console. All times are wall time.
CREATE TABLE console_sessions (
  token_hash bytea NOT NULL, -- SHA-256 of the token in the browser's cookie; the token itself is not kept.
  org uuid NOT NULL, -- Tenant.
  key_id uuid NOT NULL, -- API key that logged in: the session has its scope, and ends with it.
  created_at timestamp with time zone NOT NULL DEFAULT now(), -- When the browser logged in.
  expires_at timestamp with time zone NOT NULL, -- Refused from then on.
  seal bytea, -- Keyed hash of hash, tenant, API key and expiry, under a key of MASTER_KEY: a session with another one is refused.
  PRIMARY KEY (token_hash)
);
CREATE INDEX console_sessions_expiry ON public.console_sessions USING btree (expires_at);

-- The key each customer's personal data is sealed with. Destroying it erases the person from events, read models and backups of them at once.
CREATE TABLE customer_keys (
  org uuid NOT NULL, -- Tenant.
  customer_key uuid NOT NULL, -- The customer, as streams and rows name it.
  wrapped_key bytea, -- The key, encrypted under MASTER_KEY; null once it was destroyed.
  created_at timestamp with time zone NOT NULL DEFAULT now(), -- When the key was made (wall time).
  PRIMARY KEY (org, customer_key)
);

-- Everything that happened, in the order it became visible. Only ever appended to.
CREATE TABLE events (
  position bigint NOT NULL, -- Place in the whole log: 1, 2, 3 …
  stream text NOT NULL, -- Category, tenant and entity: {category}-{org}.{id}.
  revision bigint NOT NULL, -- Place in the stream: 0, 1, 2 …
  id uuid NOT NULL, -- Derived from command id and index, so that a repeated append is recognised.
  type text NOT NULL, -- Name of what happened; its shape is in the golden events of the test suite.
  data json NOT NULL, -- What happened: money as digit strings, quantities as decimal strings.
  metadata json NOT NULL, -- Who caused it, by which command, and when it was written down.
  UNIQUE (stream, revision),
  PRIMARY KEY ("position")
);

-- How far the log was searched for events whose follow-ups a dead process left undone.
CREATE TABLE follow_ups_checkpoint (
  store uuid NOT NULL, -- The event store, by the id of its first event.
  position text NOT NULL, -- Everything up to here is followed up.
  saved_at timestamp with time zone NOT NULL DEFAULT now(), -- Wall time.
  PRIMARY KEY (store)
);

-- Events of the log that this service did not write and leaves out; at most 10,000 are named.
CREATE TABLE foreign_events (
  commit bigint NOT NULL, -- Position in the log, with prepare.
  prepare bigint NOT NULL,
  type text NOT NULL, -- As whoever wrote it called it.
  met_at timestamp with time zone NOT NULL DEFAULT now(), -- Wall time at which a process met it first.
  PRIMARY KEY (commit, prepare)
);

-- Requests sent with an Idempotency-Key and what they were answered: a repeat gets the same answer, for ever.
CREATE TABLE idempotency_keys (
  org uuid NOT NULL, -- Tenant.
  key text NOT NULL, -- Keyed hash of the caller's Idempotency-Key.
  request_hash text NOT NULL, -- Keyed hash over method, path and body: another request under the same key is refused.
  received_at timestamp with time zone NOT NULL, -- Domain time of the first request: the now of every repeat.
  running_until timestamp with time zone, -- Wall time until which a process is taken to be at work on it; past or null: a repeat may run it.
  answer text, -- The recorded answer, a success or a refusal, encrypted as it may name people; null while there is none.
  position text, -- Where in the log the request wrote last.
  customer_keys uuid[] NOT NULL DEFAULT '{}'::uuid[], -- Whom the answer shows: an erasure takes the person out of it. Without an answer, who was erased while the request ran.
  lease uuid, -- The run of the request that has the key: no other run renews, records or frees it. Null once it has ended.
  PRIMARY KEY (org, key)
);

-- The first bytes of every PDF that was asked for: later requests get the same ones.
CREATE TABLE invoice_pdfs (
  org uuid NOT NULL, -- Tenant.
  invoice_id uuid NOT NULL, -- The invoice, as read models name it.
  kind text NOT NULL, -- What the document shows: issued or voided, and _erased where the customer's personal data was destroyed.
  sealed text NOT NULL, -- The bytes in base64, sealed: under the customer's key, so that erasing the person destroys them; an erased one, which names nobody, under the key of records.
  made_at timestamp with time zone NOT NULL DEFAULT now(), -- When it was made (wall time).
  PRIMARY KEY (org, invoice_id, kind),
  CHECK ((kind = ANY (ARRAY['issued'::text, 'voided'::text, 'issued_erased'::text, 'voided_erased'::text])))
);

-- Which process does what only one should do at a time.
CREATE TABLE leases (
  name text NOT NULL, -- What is done: projection NAME, rebuild NAME
  holder bigint NOT NULL, -- The process, by the advisory lock that its session holds while it lives
  epoch bigint NOT NULL, -- Rises whenever another process takes it: what was begun under an older one is refused
  renewed_at timestamp with time zone NOT NULL, -- Wall time of the last sign of life
  PRIMARY KEY (name)
);

-- The time of each organization of a service started with CLOCK=manual: shared by its processes, kept over restarts, never going back. Empty under the system clock.
CREATE TABLE manual_clock (
  org uuid NOT NULL, -- Tenant.
  now timestamp with time zone NOT NULL, -- Domain time.
  PRIMARY KEY (org)
);

-- Pictures that settings name: an invoice shows the one of the settings it was computed with, so none is deleted.
CREATE TABLE organization_logos (
  org uuid NOT NULL, -- Tenant.
  digest text NOT NULL, -- sha256 of the bytes in hex; the event SettingsChanged names it.
  bytes bytea NOT NULL, -- PNG or JPEG, as it was sent.
  made_at timestamp with time zone NOT NULL DEFAULT now(), -- When it was sent first (wall time).
  PRIMARY KEY (org, digest)
);

-- Due work that could not be done and is tried again; no part of the books. Instants are domain time but for noted_at.
CREATE TABLE parked_work (
  park_id uuid NOT NULL DEFAULT gen_random_uuid(), -- The parking: from the first failure until it is done.
  org uuid NOT NULL, -- Tenant.
  kind text NOT NULL, -- A billing run of an account, a term at its boundary, or the note that an invoice is past due.
  subject_id uuid NOT NULL, -- The customer's key, the term or the invoice.
  customer_key uuid, -- Whose account it is; null where that is not known.
  currency text NOT NULL DEFAULT ''::text, -- Of the account; empty where that is not known.
  cause text NOT NULL, -- Code of the refusal; internal: nobody foresaw it.
  detail text NOT NULL, -- What the newest try said, for the operator.
  tries integer NOT NULL DEFAULT 1, -- How often it was tried in vain.
  parked_at timestamp with time zone NOT NULL, -- First failure.
  tried_at timestamp with time zone NOT NULL, -- Newest failure.
  next_try_at timestamp with time zone NOT NULL, -- The scheduler leaves it alone until then.
  resolved_at timestamp with time zone, -- When it was done after all; null: it is parked.
  noted_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(), -- Wall time of the first failure.
  since timestamp with time zone NOT NULL DEFAULT now(), -- First instant of this version, in domain time; earlier ones are in setting_versions.
  PRIMARY KEY (park_id),
  CHECK ((kind = ANY (ARRAY['run'::text, 'boundary'::text, 'past_due'::text])))
);
CREATE INDEX parked_work_noted ON public.parked_work USING btree (noted_at);
CREATE UNIQUE INDEX parked_work_open ON public.parked_work USING btree (org, kind, subject_id, currency) WHERE (resolved_at IS NULL);

-- Which version a customer is subscribed to, when and with which filters: taken before the subscription is written, so that no two overlap.
CREATE TABLE placements (
  org uuid NOT NULL, -- Organization.
  subscription_id uuid NOT NULL, -- The term that holds the place.
  customer_key uuid NOT NULL, -- Customer.
  version_id uuid NOT NULL, -- Plan version.
  start_at timestamp with time zone NOT NULL, -- Start of the term.
  end_at timestamp with time zone, -- End of the term; null while it renews itself.
  filters jsonb NOT NULL, -- Subscription filters of the term.
  taken_at timestamp with time zone NOT NULL DEFAULT now(), -- When the place was taken (wall time).
  PRIMARY KEY (org, subscription_id)
);
CREATE INDEX placements_customer ON public.placements USING btree (org, customer_key, version_id);

-- How far each read model has followed the log.
CREATE TABLE projection_checkpoints (
  projection text NOT NULL, -- Name of the projection
  version integer NOT NULL, -- Number of the build: its tables are called <table>_v<version>
  commit bigint NOT NULL DEFAULT '-1'::integer, -- Position of the last event applied; -1 before the first
  prepare bigint NOT NULL DEFAULT '-1'::integer, -- Second part of that position
  store uuid, -- Event store it was taken from: the id of that store's first event
  stopped text, -- Why the projection has stopped; null while nothing is wrong
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(), -- Wall time of the last batch
  definition integer NOT NULL, -- Version of the projection in the code that fills it
  live boolean NOT NULL DEFAULT false, -- Whether the views read this build
  epoch bigint NOT NULL DEFAULT 0, -- Epoch of the lease under which it may be moved
  PRIMARY KEY (projection, version)
);
CREATE UNIQUE INDEX projection_checkpoints_live ON public.projection_checkpoints USING btree (projection) WHERE live;

-- Streams whose events a read model does not apply, as one of them failed.
CREATE TABLE projection_parked_streams (
  projection text NOT NULL, -- Name of the projection
  version integer NOT NULL, -- Number of its build
  stream text NOT NULL, -- The stream; of others everything is applied
  revision bigint NOT NULL, -- The first event in it that is not applied
  reason text NOT NULL, -- Why
  parked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(), -- Wall time of the failure
  retry boolean NOT NULL DEFAULT false, -- Somebody has asked for another try
  PRIMARY KEY (projection, version, stream)
);

-- Where the last comparison found read models that are not what the log says; empty while all are.
CREATE TABLE read_model_differences (
  projection text NOT NULL, -- Name of the projection
  version integer NOT NULL, -- Number of the build: another one that is read since says nothing of this
  table_name text NOT NULL, -- The read model
  org uuid NOT NULL, -- The tenant
  rows bigint NOT NULL, -- Rows it has
  expected bigint NOT NULL, -- Rows that the log says it has; as many, where only their content differs
  found_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(), -- Wall time of the comparison
  PRIMARY KEY (projection, version, table_name, org)
);

-- Rows that projections have written and the sum of their hashes. Batches move it together with the rows, so a row that was changed beside them shows.
CREATE TABLE read_model_sums (
  projection text NOT NULL, -- Name of the projection
  version integer NOT NULL, -- Number of the build
  table_name text NOT NULL, -- The read model
  org uuid NOT NULL, -- The tenant
  rows bigint NOT NULL, -- Number of its rows
  hash numeric NOT NULL, -- Sum of hashtextextended(row::text, 0) over its rows, all columns
  PRIMARY KEY (projection, version, table_name, org)
);

-- Streams of resources that were restricted: deleted, archived or taken from somebody. A use that was decided on an older revision shortly before is decided again.
CREATE TABLE restricted_streams (
  stream text NOT NULL, -- Stream of the resource.
  revision bigint NOT NULL, -- Revision of the stream after its last restriction.
  restricted_at timestamp with time zone NOT NULL, -- When it was restricted (wall time).
  PRIMARY KEY (stream)
);

CREATE TABLE schema_migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY (name)
);

-- Ids of customers that usage was sent for and that do not exist, so that a misspelt id can be seen. A row is deleted when its customer is created or erased.
CREATE TABLE sent_customer_ids (
  org uuid NOT NULL, -- Tenant.
  customer_key uuid NOT NULL, -- The customer, as streams and rows name it.
  customer_id text NOT NULL, -- The customer's id as it was sent.
  PRIMARY KEY (org, customer_key)
);

-- Earlier versions of settings that are no events: what they were until they were changed or removed. Triggers write it.
CREATE TABLE setting_versions (
  org uuid NOT NULL, -- Tenant.
  kind text NOT NULL, -- The table that the setting was in.
  since timestamp with time zone NOT NULL, -- First instant of the version, in domain time.
  until timestamp with time zone NOT NULL, -- End of the version, exclusive, in domain time.
  content jsonb NOT NULL -- The row.
);
CREATE INDEX setting_versions_until ON public.setting_versions USING btree (org, kind, until);

-- Where sealed usage batches stand in the tree: a tree that is built anew takes them in at the same places.
CREATE TABLE transparency_batches (
  org uuid NOT NULL, -- Tenant.
  leaf bigint NOT NULL, -- Leaf of the first of these batches; the others follow it.
  first_number bigint NOT NULL, -- Number of the first batch.
  last_number bigint NOT NULL, -- Number of the last batch.
  UNIQUE (org, leaf),
  PRIMARY KEY (org, first_number)
);

-- Signed tree heads. Rows are only ever added.
CREATE TABLE transparency_checkpoints (
  org uuid NOT NULL, -- Tenant.
  number bigint NOT NULL, -- 1, 2, 3 … in the organization.
  id uuid NOT NULL, -- Id of the checkpoint in webhooks.
  size bigint NOT NULL, -- Number of leaves.
  root bytea NOT NULL, -- Root hash.
  note text NOT NULL, -- The signed note, without cosignatures.
  cause text NOT NULL, -- Why it was made: schedule, the end of billing runs, or a request.
  made_at timestamp with time zone NOT NULL, -- When it was made, by the clock that rules billing; never before the one before it.
  noted_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(), -- Wall time.
  UNIQUE (org, id),
  PRIMARY KEY (org, number),
  CHECK ((cause = ANY (ARRAY['schedule'::text, 'billing'::text, 'request'::text])))
);
CREATE INDEX transparency_checkpoints_noted ON public.transparency_checkpoints USING btree (noted_at);

-- Cosignatures of checkpoints by witnesses, each verified before it was added. Rows are only ever added.
CREATE TABLE transparency_cosignatures (
  org uuid NOT NULL, -- Tenant.
  number bigint NOT NULL, -- Number of the checkpoint.
  witness text NOT NULL, -- Name of the key of the witness, + and its id.
  place smallint NOT NULL, -- 1, 2, 3 … among the cosignatures of the checkpoint.
  line text NOT NULL, -- The signature line of the note, with the newline at its end; it has the time of the witness.
  added_at timestamp with time zone NOT NULL, -- When it was added, by the clock that rules billing.
  UNIQUE (org, number, place),
  PRIMARY KEY (org, number, witness)
);
CREATE INDEX transparency_cosignatures_witness ON public.transparency_cosignatures USING btree (org, witness, number);

-- Why no checkpoint is signed; empty while all are.
CREATE TABLE transparency_faults (
  org uuid NOT NULL, -- Tenant; only zeros for what concerns all of them.
  sentence text NOT NULL, -- What is wrong and what to do.
  since timestamp with time zone NOT NULL DEFAULT now(), -- Wall time.
  PRIMARY KEY (org)
);

-- Public keys that checkpoints were signed with.
CREATE TABLE transparency_keys (
  public_key bytea NOT NULL, -- Ed25519, 32 bytes.
  first_used_at timestamp with time zone NOT NULL DEFAULT now(), -- Wall time of the first start with it.
  last_used_at timestamp with time zone NOT NULL DEFAULT now(), -- Wall time of the newest start with it.
  PRIMARY KEY (public_key)
);

-- How far the trees have followed the event log.
CREATE TABLE transparency_progress (
  store uuid NOT NULL, -- The event store, by the id of its first event.
  commit bigint NOT NULL, -- Position of the last event taken in.
  prepare bigint NOT NULL, -- Second part of that position.
  moved_at timestamp with time zone NOT NULL DEFAULT now(), -- Wall time.
  PRIMARY KEY (store)
);

-- Hashes of the trees, up to 256 beside each other (C2SP tlog-tiles): level 0 has leaves, level n complete subtrees of 256^n leaves.
CREATE TABLE transparency_tiles (
  org uuid NOT NULL, -- Tenant.
  level smallint NOT NULL, -- 0: leaves.
  index bigint NOT NULL, -- Place of the tile in its level.
  hashes bytea NOT NULL, -- The hashes, 32 bytes each; fewer than 256 in the last tile.
  first_commit bigint, -- Position of the log at which the tile was begun; null above level 0.
  first_prepare bigint, -- Second part of that position.
  leaves text[], -- Per leaf stream@revision of its event, or # and the number of its usage batch; null above level 0.
  PRIMARY KEY (org, level, index)
);
CREATE INDEX transparency_tiles_positions ON public.transparency_tiles USING btree (org, first_commit, first_prepare) WHERE (level = 0);

-- The Merkle tree of each organization: how large it is, and what it grows from.
CREATE TABLE transparency_trees (
  org uuid NOT NULL, -- Tenant.
  size bigint NOT NULL, -- Number of leaves.
  batches bigint NOT NULL, -- Number of the last usage batch that is a leaf; 0 before the first.
  frontier bytea NOT NULL, -- Hashes of the complete subtrees that the tree consists of, from left to right, 32 bytes each.
  last_index bigint, -- Leaf of its newest event; null before the first.
  last_stream text, -- Stream of that event.
  last_revision bigint, -- Revision of that event.
  billed_at timestamp with time zone, -- Wall time since which a billing run that has ended waits for its checkpoint; null when none does.
  PRIMARY KEY (org)
);
CREATE INDEX transparency_trees_billed ON public.transparency_trees USING btree (billed_at) WHERE (billed_at IS NOT NULL);

-- How far the checkpoints of each organization were uploaded to an object store.
CREATE TABLE transparency_uploads (
  bucket text NOT NULL, -- URL of the bucket, as AUDIT_BUCKET has it.
  org uuid NOT NULL, -- Tenant.
  number bigint NOT NULL, -- Number of the newest uploaded checkpoint; 0 before the first.
  cosignatures integer NOT NULL, -- Number of its cosignatures that were uploaded.
  sentence text, -- Why the next one is not uploaded, and what to do; null while it can be.
  retry_at timestamp with time zone, -- Wall time from which it is tried again.
  PRIMARY KEY (bucket, org)
);

-- Why a witness has not cosigned the newest checkpoint of an organization; empty while all have.
CREATE TABLE transparency_witness_faults (
  org uuid NOT NULL, -- Tenant.
  witness text NOT NULL, -- Name of the key of the witness, + and its id.
  sentence text NOT NULL, -- What is wrong and what to do.
  since timestamp with time zone NOT NULL DEFAULT now(), -- Wall time.
  retry_at timestamp with time zone NOT NULL, -- Wall time from which the witness is asked again for the organization.
  PRIMARY KEY (org, witness)
);

-- One row per alert, threshold, term and window in which it was reached. Instants are domain time but for noted_at.
CREATE TABLE usage_alert_firings (
  firing_id uuid NOT NULL, -- uuid v5 of alert, threshold, term, metric and window: a window is told once.
  org uuid NOT NULL, -- Tenant.
  alert_id uuid NOT NULL, -- Alert that was triggered.
  customer_key uuid NOT NULL, -- Customer whose usage it was.
  subscription_id uuid NOT NULL, -- Term that the usage counts for.
  window_start timestamp with time zone NOT NULL, -- First instant of the billing window.
  window_end timestamp with time zone NOT NULL, -- End of the window, exclusive.
  threshold numeric NOT NULL, -- Threshold that was reached.
  quantity numeric NOT NULL, -- Usage of the window when it was noticed.
  amount numeric NOT NULL, -- Cost of that usage in major units, before adjustments and tax.
  currency text NOT NULL, -- Currency of the amount, ISO 4217.
  triggered_at timestamp with time zone NOT NULL, -- When it was noticed.
  noted_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(), -- Wall time of that.
  PRIMARY KEY (firing_id),
  FOREIGN KEY (alert_id) REFERENCES usage_alerts(alert_id) ON DELETE CASCADE
);
CREATE INDEX usage_alert_firings_alert ON public.usage_alert_firings USING btree (alert_id);
CREATE INDEX usage_alert_firings_noted ON public.usage_alert_firings USING btree (org, noted_at);

-- How far the usage of each tenant with alerts was looked through.
CREATE TABLE usage_alert_positions (
  org uuid NOT NULL, -- Tenant.
  sealed_up_to bigint NOT NULL, -- Number of the last batch that was looked at.
  PRIMARY KEY (org)
);

-- Thresholds of usage that webhooks tell of. They change nothing that is owed.
CREATE TABLE usage_alerts (
  alert_id uuid NOT NULL, -- The alert.
  org uuid NOT NULL, -- Tenant.
  name text NOT NULL, -- What it is for, in its owner's words.
  metric_id uuid NOT NULL, -- Metric whose usage it watches.
  customer_key uuid, -- Customer that it watches; null for one that watches a plan.
  plan_id uuid, -- Plan whose subscribers it watches, each for itself; null for one that watches a customer.
  measure text NOT NULL, -- Whether the threshold is in units of the metric or in the cost of its usage, in major units.
  threshold numeric NOT NULL, -- It is reached by this much usage of a window, or more.
  created_at timestamp with time zone NOT NULL, -- When it was made.
  since timestamp with time zone NOT NULL DEFAULT now(), -- First instant of this version, in domain time; earlier ones are in setting_versions.
  recorded boolean, -- Whether an event created it. Null: it is older than such events.
  PRIMARY KEY (alert_id),
  CHECK (((customer_key IS NULL) <> (plan_id IS NULL))),
  CHECK ((measure = ANY (ARRAY['units'::text, 'amount'::text])))
);
CREATE INDEX usage_alerts_org ON public.usage_alerts USING btree (org, created_at, alert_id);

-- The new events of one ingest request each. What a billing run counts is fixed by the numbers of the batches.
CREATE TABLE usage_batches (
  org uuid NOT NULL, -- The tenant.
  batch_id bigint NOT NULL, -- The batch; says nothing about the order in which batches were committed.
  sealed_number bigint, -- 1, 2, 3 … within the tenant, given to every committed batch when usage is closed; null until then.
  event_count integer NOT NULL, -- How many events the batch added; repeats of events already received are not among them.
  earliest_event_time timestamp with time zone NOT NULL, -- Time of its earliest event: whether a closed period got usage late.
  digest bytea NOT NULL, -- sha256 over the body hashes of its events in order of idempotency_id.
  received_at timestamp with time zone NOT NULL, -- When it was received, by the clock that rules terms and billing.
  is_straggler boolean NOT NULL DEFAULT false, -- Whether it was numbered after a batch with a higher batch_id: it committed late.
  UNIQUE (org, sealed_number),
  PRIMARY KEY (org, batch_id)
);
CREATE INDEX usage_batches_stragglers ON public.usage_batches USING btree (org, sealed_number) WHERE is_straggler;
CREATE INDEX usage_batches_unsealed ON public.usage_batches USING btree (org, batch_id) WHERE (sealed_number IS NULL);

-- Stored usage events added up by day and name, but for batches in usage_days_queue. Derived: nothing that is owed depends on it.
CREATE TABLE usage_days (
  org uuid NOT NULL, -- The tenant.
  day date NOT NULL, -- Day of the events, UTC.
  event_name text NOT NULL, -- Name of the events.
  events bigint NOT NULL, -- Number of events.
  PRIMARY KEY (org, day, event_name)
);

-- Batches whose events usage_days does not have yet.
CREATE TABLE usage_days_queue (
  batch_id bigint NOT NULL, -- The batch.
  org uuid NOT NULL, -- The tenant.
  PRIMARY KEY (batch_id)
);

-- What customers used: one row per event, append-only. Invoices are computed from the closes that count these rows.
CREATE TABLE usage_events (
  org uuid NOT NULL, -- The tenant.
  idempotency_id text NOT NULL, -- The id the sender gave the event, unique in the tenant.
  customer_key uuid NOT NULL, -- Stands for the customer_id, which is not kept here: uuid v5 of the tenant and "customer:" followed by the customer_id.
  event_name text NOT NULL, -- What was done; metrics count by it.
  event_time timestamp with time zone NOT NULL, -- When it happened, as the sender says.
  properties jsonb NOT NULL, -- What the sender said about it. A number is kept as the shortest decimal text of its double.
  body_hash bytea NOT NULL, -- sha256 over the canonical JSON of [idempotency_id, customer_key, event_name, event_time, properties].
  batch_id bigint NOT NULL, -- The batch in usage_batches that it came with.
  PRIMARY KEY (org, idempotency_id)
);
CREATE INDEX usage_events_by_time ON public.usage_events USING btree (org, event_name, event_time, idempotency_id) WHERE (batch_id >= 0);
CREATE INDEX usage_events_of_batch ON public.usage_events USING brin (batch_id) WITH (pages_per_range='16', autosummarize='on');
CREATE INDEX usage_events_reading ON public.usage_events USING btree (org, customer_key, event_name, event_time) INCLUDE (batch_id);

-- Usage of all customers by metric as it was last counted. Derived: nothing that is owed depends on it.
CREATE TABLE usage_of_metrics (
  org uuid NOT NULL, -- The tenant.
  metric_id uuid NOT NULL, -- The metric.
  granularity text NOT NULL, -- day or month.
  day date NOT NULL, -- The day, or the first day of the month, UTC.
  name_events bigint NOT NULL, -- Stored events with the name that the metric reads when the row was counted: with another number it is counted anew.
  events bigint NOT NULL, -- Number of events that the metric counted.
  total numeric, -- Usage of each customer added up; null: as many as events.
  PRIMARY KEY (org, metric_id, granularity, day)
);

-- What was sent to an endpoint, or is to be: one row per endpoint and event, without its content. All times are wall time.
CREATE TABLE webhook_deliveries (
  endpoint_id uuid NOT NULL, -- To whom.
  event_id uuid NOT NULL, -- The event, and the id that the delivery carries.
  place bigint NOT NULL DEFAULT nextval('webhook_delivery_places'::regclass), -- Deliveries of an endpoint are sent in this order.
  trigger text NOT NULL, -- What happened.
  commit bigint NOT NULL, -- Position of the event in the log.
  prepare bigint NOT NULL, -- Second part of that position.
  status text NOT NULL DEFAULT 'pending'::text, -- pending, delivered, or dead after a day of failures.
  attempts integer NOT NULL DEFAULT 0, -- How often it was tried.
  first_attempt_at timestamp with time zone, -- When it was first tried; a day later it is given up.
  next_attempt_at timestamp with time zone NOT NULL DEFAULT now(), -- Not tried before.
  delivered_at timestamp with time zone, -- When the endpoint took it.
  last_status integer, -- HTTP status of the last answer; null: there was none.
  last_error text, -- Why the last try failed.
  added_at timestamp with time zone NOT NULL DEFAULT now(), -- When it was taken over.
  org uuid, -- Tenant of the endpoint; a trigger fills it in.
  since timestamp with time zone NOT NULL DEFAULT now(), -- First instant of this version, in domain time; earlier ones are in setting_versions.
  PRIMARY KEY (endpoint_id, event_id),
  FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
);
CREATE INDEX webhook_deliveries_dead ON public.webhook_deliveries USING btree (endpoint_id) WHERE (status = 'dead'::text);
CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (endpoint_id, place) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_places ON public.webhook_deliveries USING btree (endpoint_id, place);

-- Where events are sent to. All times are wall time.
CREATE TABLE webhook_endpoints (
  id uuid NOT NULL, -- The endpoint.
  org uuid NOT NULL, -- Tenant.
  name text NOT NULL, -- What it is for, in its owner's words.
  triggers text[] NOT NULL, -- What it is told of.
  sealed text NOT NULL, -- Its URL, which may hold a token, and the secret that deliveries are signed with, sealed.
  commit bigint NOT NULL, -- Position of the last event that was looked at for it.
  prepare bigint NOT NULL, -- Second part of that position.
  leased_until timestamp with time zone, -- Until then one process sends to it; it keeps the order and guards nothing else.
  created_at timestamp with time zone NOT NULL DEFAULT now(), -- When it was made.
  served_at timestamp with time zone, -- When its last turn of sending ended; null: it had none.
  since timestamp with time zone NOT NULL DEFAULT now(), -- First instant of this version, in domain time; earlier ones are in setting_versions.
  recorded boolean, -- Whether an event created it; sent nothing while false. Null: it is older than such events.
  PRIMARY KEY (id)
);
CREATE INDEX webhook_endpoints_org ON public.webhook_endpoints USING btree (org, created_at);

CREATE OR REPLACE FUNCTION public.append_events(streams text[], expected bigint[], members integer[], event_streams text[], revisions bigint[], ids uuid[], types text[], data json[], metadata json[])
 RETURNS TABLE(stream text, revision bigint, "position" bigint)
 LANGUAGE plpgsql
 SET lock_timeout TO '10s'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'appends need read committed transactions';
  end if;
  perform pg_advisory_xact_lock(32199625091149428);
  return query
  with compared as materialized (
    select array_agg(m.expected = coalesce(
      (select e.revision from events e where e.stream = m.stream order by e.revision desc limit 1), -1
    ) order by m.n) as is_current
    from unnest(append_events.streams, append_events.expected) with ordinality as m (stream, expected, n)
  ), inserted as (
    insert into events as i (position, stream, revision, id, type, data, metadata)
    select coalesce((select max(position) from events), 0) + row_number() over (order by e.i),
      e.stream, e.revision, e.id, e.type, e.data, e.metadata
    from compared, unnest(append_events.members, append_events.event_streams, append_events.revisions,
        append_events.ids, append_events.types, append_events.data, append_events.metadata)
      with ordinality as e (member, stream, revision, id, type, data, metadata, i)
    where compared.is_current[e.member]
    returning i.stream, i.revision, i.position
  )
  select inserted.stream, max(inserted.revision), max(inserted.position) from inserted group by inserted.stream;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_setting_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  tenant constant uuid := case tg_op when 'DELETE' then old.org else new.org end;
  at constant timestamptz :=
    coalesce((select clock.now from manual_clock clock where clock.org = tenant), clock_timestamp());
begin
  if tg_op <> 'INSERT' and old.since < at then
    insert into setting_versions (org, kind, since, until, content)
      values (old.org, tg_table_name, old.since, at, to_jsonb(old));
  end if;
  if tg_op = 'DELETE' then return old; end if;
  new.since := at;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_signing_key_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into setting_versions (org, kind, since, until, content)
    values ('00000000-0000-0000-0000-000000000000', tg_table_name, old.last_used_at, new.last_used_at, to_jsonb(old));
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.queue_usage_batch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into usage_days_queue values (new.batch_id, new.org) on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.set_webhook_delivery_org()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select e.org into new.org from webhook_endpoints e where e.id = new.endpoint_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.usage_number(value jsonb)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(value) WHEN 'number'::text THEN CASE WHEN (length(TRIM(BOTH '0'::text FROM translate((value #>> '{}'::text[]), '-.'::text, ''::text))) > 15) THEN NULL::numeric WHEN (((value)::numeric = (0)::numeric) OR ((abs((value)::numeric) >= 0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001) AND (abs((value)::numeric) < '100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric))) THEN (value)::numeric ELSE NULL::numeric END WHEN 'string'::text THEN usage_number_of_text((value #>> '{}'::text[])) ELSE NULL::numeric END;

CREATE OR REPLACE FUNCTION public.usage_number_of_text(value text)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((length(value) > 400) OR (value !~ '^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$'::text)) THEN NULL::numeric WHEN (translate(regexp_replace(value, '[eE].*'::text, ''::text), '-.0'::text, ''::text) = ''::text) THEN (0)::numeric WHEN (length(TRIM(BOTH '0'::text FROM translate(regexp_replace(value, '[eE].*'::text, ''::text), '-.'::text, ''::text))) > 15) THEN NULL::numeric WHEN (value ~ '[eE][+-]?0*[1-9][0-9]{3}'::text) THEN NULL::numeric WHEN ((abs((value)::numeric) >= 0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001) AND (abs((value)::numeric) < '100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)) THEN (value)::numeric ELSE NULL::numeric END;

CREATE OR REPLACE FUNCTION public.usage_text(value jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (jsonb_typeof(value) = ANY (ARRAY['string'::text, 'number'::text, 'boolean'::text])) THEN (value #>> '{}'::text[]) ELSE NULL::text END;

CREATE TRIGGER parked_work_versions BEFORE INSERT OR DELETE OR UPDATE OF cause, tries, next_try_at, resolved_at ON public.parked_work FOR EACH ROW EXECUTE FUNCTION keep_setting_version();

CREATE TRIGGER queue_usage_batch AFTER INSERT ON public.usage_batches FOR EACH ROW EXECUTE FUNCTION queue_usage_batch();

CREATE TRIGGER transparency_keys_versions BEFORE UPDATE OF last_used_at ON public.transparency_keys FOR EACH ROW EXECUTE FUNCTION keep_signing_key_version();

CREATE TRIGGER usage_alerts_versions BEFORE INSERT OR DELETE OR UPDATE OF name, threshold ON public.usage_alerts FOR EACH ROW EXECUTE FUNCTION keep_setting_version();

CREATE TRIGGER webhook_deliveries_org BEFORE INSERT ON public.webhook_deliveries FOR EACH ROW EXECUTE FUNCTION set_webhook_delivery_org();

CREATE TRIGGER webhook_deliveries_versions BEFORE INSERT OR DELETE OR UPDATE OF place, status, attempts ON public.webhook_deliveries FOR EACH ROW EXECUTE FUNCTION keep_setting_version();

CREATE TRIGGER webhook_endpoints_versions BEFORE INSERT OR DELETE OR UPDATE OF name, triggers, sealed ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION keep_setting_version();
