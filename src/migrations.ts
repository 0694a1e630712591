import {
  BUILDS_SCHEMA,
  CHECKPOINTS_SCHEMA,
  DIFFERENCES_SCHEMA,
  LEASES_SCHEMA,
  PARKED_STREAMS_SCHEMA,
  SUMS_SCHEMA,
} from '../projections/schema.js';
import { CONSOLE_SESSIONS_SCHEMA, SEALED_SESSIONS_SCHEMA } from './console/schema.js';
import { RECORDED_ALERTS_SCHEMA, USAGE_ALERT_VERSIONS_SCHEMA, USAGE_ALERTS_SCHEMA } from './alerts/schema.js';
import { INVOICE_PDFS_SCHEMA } from './billing/pdf/schema.js';
import { PARKED_WORK_SCHEMA, PARKED_WORK_VERSIONS_SCHEMA } from './billing/parking/schema.js';
import {
  API_KEYS_SCHEMA,
  INGEST_KEYS_SCHEMA,
  RECORDED_KEYS_SCHEMA,
  SEALED_KEYS_SCHEMA,
} from './organization/api-keys/schema.js';
import { CLAIMS_SCHEMA } from './platform/eventsourcing/claims/claims.js';
import { ORGANIZATION_LOGOS_SCHEMA } from './organization/logos/schema.js';
import { CLOCK_PER_ORGANIZATION_SCHEMA, MANUAL_CLOCK_SCHEMA } from './platform/clock/clock.js';
import { POLICY_CHECKPOINT_SCHEMA } from './platform/eventsourcing/policies/policy-checkpoint.js';
import {
  IDEMPOTENCY_HIDDEN_SCHEMA,
  IDEMPOTENCY_KEYS_SCHEMA,
} from './platform/http/idempotency/idempotency-keys.js';
import {
  EVENTS_BY_TIME_SCHEMA,
  EVENTS_OF_ALL_BY_TIME_SCHEMA,
  EVENTS_OF_BATCH_SCHEMA,
  LATE_USAGE_SCHEMA,
  METERING_SCHEMA,
  USAGE_DAYS_SCHEMA,
  USAGE_OF_METRICS_SCHEMA,
} from './metering/schema.js';
import { CUSTOMER_KEYS_SCHEMA } from './customer/customer-directory.js';
import { CLAIMS_OWNER_SCHEMA } from './customer/commands/email-claims.js';
import { SENT_CUSTOMER_IDS_SCHEMA } from './customer/sent-customer-ids.js';
import { IDEMPOTENCY_CUSTOMERS_SCHEMA } from './customer/recorded-answers.js';
import type { Migration } from './platform/database/migrations.js';
import { SETTING_VERSIONS_SCHEMA } from './platform/database/setting-versions.js';
import { RESTRICTED_STREAMS_SCHEMA } from './platform/eventsourcing/stream-restrictions.js';
import { FOREIGN_EVENTS_SCHEMA } from './platform/eventsourcing/store/foreign-events.js';
import {
  APPEND_EVENTS,
  APPEND_EVENTS_PLANNED_ONCE,
  EVENTS_SCHEMA,
} from './platform/eventsourcing/store/postgres/schema.js';
import {
  BILLED_SCHEMA,
  COSIGNATURES_SCHEMA,
  KEY_VERSIONS_SCHEMA,
  TRANSPARENCY_SCHEMA,
  UPLOADS_SCHEMA,
} from './transparency/schema.js';
import { OVERLAP_RESERVATIONS_SCHEMA } from './subscription/schema.js';
import {
  DEAD_DELIVERIES_SCHEMA,
  DELIVERIES_ADDED_SCHEMA,
  DELIVERY_VERSIONS_SCHEMA,
  LAST_SERVED_SCHEMA,
  RECORDED_WEBHOOKS_SCHEMA,
  WEBHOOK_VERSIONS_SCHEMA,
  WEBHOOKS_SCHEMA,
} from './webhooks/schema.js';

/** The schema of every module, in the order it is applied. Released steps stay as they are: changes are added below. */
export const MIGRATIONS: readonly Migration[] = [
  { name: 'events', sql: EVENTS_SCHEMA },
  { name: 'customer-keys', sql: CUSTOMER_KEYS_SCHEMA },
  { name: 'metering', sql: METERING_SCHEMA },
  { name: 'projection-checkpoints', sql: CHECKPOINTS_SCHEMA },
  { name: 'placements', sql: OVERLAP_RESERVATIONS_SCHEMA },
  { name: 'api-keys', sql: API_KEYS_SCHEMA },
  { name: 'manual-clock', sql: MANUAL_CLOCK_SCHEMA },
  { name: 'idempotency-keys', sql: IDEMPOTENCY_KEYS_SCHEMA },
  { name: 'claims', sql: CLAIMS_SCHEMA },
  { name: 'follow-ups', sql: POLICY_CHECKPOINT_SCHEMA },
  { name: 'append-events', sql: APPEND_EVENTS },
  { name: 'invoice-pdfs', sql: INVOICE_PDFS_SCHEMA },
  { name: 'idempotency-customers', sql: IDEMPOTENCY_CUSTOMERS_SCHEMA },
  { name: 'webhooks', sql: WEBHOOKS_SCHEMA },
  { name: 'late-usage', sql: LATE_USAGE_SCHEMA },
  { name: 'parked-work', sql: PARKED_WORK_SCHEMA },
  { name: 'webhook-deliveries-added', sql: DELIVERIES_ADDED_SCHEMA },
  { name: 'projection-builds', sql: BUILDS_SCHEMA },
  { name: 'projection-parked-streams', sql: PARKED_STREAMS_SCHEMA },
  { name: 'webhook-deliveries-dead', sql: DEAD_DELIVERIES_SCHEMA },
  { name: 'idempotency-hidden', sql: IDEMPOTENCY_HIDDEN_SCHEMA },
  { name: 'append-events-planned-once', sql: APPEND_EVENTS_PLANNED_ONCE },
  { name: 'claims-owner', sql: CLAIMS_OWNER_SCHEMA },
  { name: 'api-keys-ingest', sql: INGEST_KEYS_SCHEMA },
  { name: 'webhook-endpoint-turns', sql: LAST_SERVED_SCHEMA },
  { name: 'foreign-events', sql: FOREIGN_EVENTS_SCHEMA },
  { name: 'manual-clock-per-organization', sql: CLOCK_PER_ORGANIZATION_SCHEMA },
  { name: 'usage-events-of-batch', sql: EVENTS_OF_BATCH_SCHEMA },
  { name: 'leases', sql: LEASES_SCHEMA },
  // Changes no table. Older builds could not read what this build stores
  // (test/golden/events/stored-data.spec.ts).
  { name: 'stored-data-346030df2a29', sql: 'select 1' },
  { name: 'read-model-differences', sql: DIFFERENCES_SCHEMA },
  { name: 'organization-logos', sql: ORGANIZATION_LOGOS_SCHEMA },
  { name: 'usage-alerts', sql: USAGE_ALERTS_SCHEMA },
  { name: 'transparency', sql: TRANSPARENCY_SCHEMA },
  { name: 'console-sessions', sql: CONSOLE_SESSIONS_SCHEMA },
  { name: 'api-keys-recorded', sql: RECORDED_KEYS_SCHEMA },
  { name: 'stored-data-1853ace4797d', sql: 'select 1' },
  { name: 'usage-days', sql: USAGE_DAYS_SCHEMA },
  { name: 'setting-versions', sql: SETTING_VERSIONS_SCHEMA },
  { name: 'usage-alert-versions', sql: USAGE_ALERT_VERSIONS_SCHEMA },
  { name: 'webhook-versions', sql: WEBHOOK_VERSIONS_SCHEMA },
  { name: 'transparency-cosignatures', sql: COSIGNATURES_SCHEMA },
  { name: 'transparency-billed', sql: BILLED_SCHEMA },
  { name: 'transparency-uploads', sql: UPLOADS_SCHEMA },
  { name: 'usage-of-metrics', sql: USAGE_OF_METRICS_SCHEMA },
  { name: 'usage-alerts-recorded', sql: RECORDED_ALERTS_SCHEMA },
  { name: 'webhooks-recorded', sql: RECORDED_WEBHOOKS_SCHEMA },
  { name: 'stored-data-578a195b9bce', sql: 'select 1' },
  { name: 'stored-data-76d0ed00b5f3', sql: 'select 1' },
  { name: 'parked-work-versions', sql: PARKED_WORK_VERSIONS_SCHEMA },
  { name: 'webhook-delivery-versions', sql: DELIVERY_VERSIONS_SCHEMA },
  { name: 'transparency-key-versions', sql: KEY_VERSIONS_SCHEMA },
  { name: 'sent-customer-ids', sql: SENT_CUSTOMER_IDS_SCHEMA },
  { name: 'read-model-sums', sql: SUMS_SCHEMA },
  // Older builds do not open records with a key of their own.
  { name: 'sealed-records', sql: 'select 1' },
  { name: 'usage-events-by-time', sql: EVENTS_BY_TIME_SCHEMA },
  { name: 'usage-events-of-all-by-time', sql: EVENTS_OF_ALL_BY_TIME_SCHEMA },
  { name: 'stored-data-c0ad0a1b5291', sql: 'select 1' },
  { name: 'restricted-streams', sql: RESTRICTED_STREAMS_SCHEMA },
  { name: 'console-sessions-sealed', sql: SEALED_SESSIONS_SCHEMA },
  { name: 'api-keys-sealed', sql: SEALED_KEYS_SCHEMA },
];
