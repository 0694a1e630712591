import {
  BUILDS_MIGRATION,
  CHECKPOINTS_MIGRATION,
  DIFFERENCES_MIGRATION,
  LEASES_MIGRATION,
  PARKED_STREAMS_MIGRATION,
  SUMS_MIGRATION,
} from '../projections/tables.js';
import { CONSOLE_SESSIONS_MIGRATION, SEALED_SESSIONS_MIGRATION } from './console/tables.js';
import {
  RECORDED_ALERTS_MIGRATION,
  USAGE_ALERT_VERSIONS_MIGRATION,
  USAGE_ALERTS_MIGRATION,
} from './alerts/tables.js';
import { INVOICE_PDFS_MIGRATION } from './billing/pdf/tables.js';
import { PARKED_WORK_MIGRATION, PARKED_WORK_VERSIONS_MIGRATION } from './billing/parking/tables.js';
import {
  API_KEYS_MIGRATION,
  INGEST_KEYS_MIGRATION,
  RECORDED_KEYS_MIGRATION,
  SEALED_KEYS_MIGRATION,
} from './organization/api-keys/tables.js';
import { CLAIMS_MIGRATION } from './platform/eventsourcing/claims/claims.js';
import { ORGANIZATION_LOGOS_MIGRATION } from './organization/logos/tables.js';
import { CLOCK_PER_ORGANIZATION_MIGRATION, MANUAL_CLOCK_MIGRATION } from './platform/clock/clock.js';
import { POLICY_CHECKPOINT_MIGRATION } from './platform/eventsourcing/policies/policy-checkpoint.js';
import {
  IDEMPOTENCY_HIDDEN_MIGRATION,
  IDEMPOTENCY_KEYS_MIGRATION,
  IDEMPOTENCY_LEASES_MIGRATION,
} from './platform/http/idempotency/idempotency-keys.js';
import {
  EVENTS_BY_TIME_MIGRATION,
  EVENTS_OF_ALL_BY_TIME_MIGRATION,
  EVENTS_OF_BATCH_MIGRATION,
  LATE_USAGE_MIGRATION,
  METERING_MIGRATION,
  USAGE_DAYS_MIGRATION,
  USAGE_OF_METRICS_MIGRATION,
} from './metering/tables.js';
import { CUSTOMER_KEYS_MIGRATION } from './customer/customer-directory.js';
import { CLAIMS_OWNER_MIGRATION } from './customer/commands/email-claims.js';
import { SENT_CUSTOMER_IDS_MIGRATION } from './customer/sent-customer-ids.js';
import {
  IDEMPOTENCY_CUSTOMERS_MIGRATION,
  IDEMPOTENCY_ERASED_MIGRATION,
} from './customer/recorded-answers.js';
import type { Migration } from './platform/database/migrations.js';
import { SETTING_VERSIONS_MIGRATION } from './platform/database/setting-versions.js';
import { RESTRICTED_STREAMS_MIGRATION } from './platform/eventsourcing/stream-restrictions.js';
import { FOREIGN_EVENTS_MIGRATION } from './platform/eventsourcing/store/foreign-events.js';
import {
  APPEND_EVENTS_MIGRATION,
  APPEND_EVENTS_PLANNED_ONCE_MIGRATION,
  EVENTS_MIGRATION,
} from './platform/eventsourcing/store/postgres/tables.js';
import {
  BILLED_MIGRATION,
  COSIGNATURES_MIGRATION,
  KEY_VERSIONS_MIGRATION,
  TRANSPARENCY_MIGRATION,
  UPLOADS_MIGRATION,
} from './transparency/tables.js';
import { OVERLAP_RESERVATIONS_MIGRATION } from './subscription/tables.js';
import {
  DEAD_DELIVERIES_MIGRATION,
  DELIVERIES_ADDED_MIGRATION,
  DELIVERY_VERSIONS_MIGRATION,
  LAST_SERVED_MIGRATION,
  RECORDED_WEBHOOKS_MIGRATION,
  WEBHOOK_VERSIONS_MIGRATION,
  WEBHOOKS_MIGRATION,
} from './webhooks/tables.js';

/** The migrations of every module, in the order they are applied. Released steps stay as they are: changes are added below. */
export const MIGRATIONS: readonly Migration[] = [
  { name: 'events', sql: EVENTS_MIGRATION },
  { name: 'customer-keys', sql: CUSTOMER_KEYS_MIGRATION },
  { name: 'metering', sql: METERING_MIGRATION },
  { name: 'projection-checkpoints', sql: CHECKPOINTS_MIGRATION },
  { name: 'placements', sql: OVERLAP_RESERVATIONS_MIGRATION },
  { name: 'api-keys', sql: API_KEYS_MIGRATION },
  { name: 'manual-clock', sql: MANUAL_CLOCK_MIGRATION },
  { name: 'idempotency-keys', sql: IDEMPOTENCY_KEYS_MIGRATION },
  { name: 'claims', sql: CLAIMS_MIGRATION },
  { name: 'follow-ups', sql: POLICY_CHECKPOINT_MIGRATION },
  { name: 'append-events', sql: APPEND_EVENTS_MIGRATION },
  { name: 'invoice-pdfs', sql: INVOICE_PDFS_MIGRATION },
  { name: 'idempotency-customers', sql: IDEMPOTENCY_CUSTOMERS_MIGRATION },
  { name: 'webhooks', sql: WEBHOOKS_MIGRATION },
  { name: 'late-usage', sql: LATE_USAGE_MIGRATION },
  { name: 'parked-work', sql: PARKED_WORK_MIGRATION },
  { name: 'webhook-deliveries-added', sql: DELIVERIES_ADDED_MIGRATION },
  { name: 'projection-builds', sql: BUILDS_MIGRATION },
  { name: 'projection-parked-streams', sql: PARKED_STREAMS_MIGRATION },
  { name: 'webhook-deliveries-dead', sql: DEAD_DELIVERIES_MIGRATION },
  { name: 'idempotency-hidden', sql: IDEMPOTENCY_HIDDEN_MIGRATION },
  { name: 'append-events-planned-once', sql: APPEND_EVENTS_PLANNED_ONCE_MIGRATION },
  { name: 'claims-owner', sql: CLAIMS_OWNER_MIGRATION },
  { name: 'api-keys-ingest', sql: INGEST_KEYS_MIGRATION },
  { name: 'webhook-endpoint-turns', sql: LAST_SERVED_MIGRATION },
  { name: 'foreign-events', sql: FOREIGN_EVENTS_MIGRATION },
  { name: 'manual-clock-per-organization', sql: CLOCK_PER_ORGANIZATION_MIGRATION },
  { name: 'usage-events-of-batch', sql: EVENTS_OF_BATCH_MIGRATION },
  { name: 'leases', sql: LEASES_MIGRATION },
  // Changes no table. Older builds could not read what this build stores
  // (test/golden/events/stored-data.spec.ts).
  { name: 'stored-data-346030df2a29', sql: 'select 1' },
  { name: 'read-model-differences', sql: DIFFERENCES_MIGRATION },
  { name: 'organization-logos', sql: ORGANIZATION_LOGOS_MIGRATION },
  { name: 'usage-alerts', sql: USAGE_ALERTS_MIGRATION },
  { name: 'transparency', sql: TRANSPARENCY_MIGRATION },
  { name: 'console-sessions', sql: CONSOLE_SESSIONS_MIGRATION },
  { name: 'api-keys-recorded', sql: RECORDED_KEYS_MIGRATION },
  { name: 'stored-data-1853ace4797d', sql: 'select 1' },
  { name: 'usage-days', sql: USAGE_DAYS_MIGRATION },
  { name: 'setting-versions', sql: SETTING_VERSIONS_MIGRATION },
  { name: 'usage-alert-versions', sql: USAGE_ALERT_VERSIONS_MIGRATION },
  { name: 'webhook-versions', sql: WEBHOOK_VERSIONS_MIGRATION },
  { name: 'transparency-cosignatures', sql: COSIGNATURES_MIGRATION },
  { name: 'transparency-billed', sql: BILLED_MIGRATION },
  { name: 'transparency-uploads', sql: UPLOADS_MIGRATION },
  { name: 'usage-of-metrics', sql: USAGE_OF_METRICS_MIGRATION },
  { name: 'usage-alerts-recorded', sql: RECORDED_ALERTS_MIGRATION },
  { name: 'webhooks-recorded', sql: RECORDED_WEBHOOKS_MIGRATION },
  { name: 'stored-data-578a195b9bce', sql: 'select 1' },
  { name: 'stored-data-76d0ed00b5f3', sql: 'select 1' },
  { name: 'parked-work-versions', sql: PARKED_WORK_VERSIONS_MIGRATION },
  { name: 'webhook-delivery-versions', sql: DELIVERY_VERSIONS_MIGRATION },
  { name: 'transparency-key-versions', sql: KEY_VERSIONS_MIGRATION },
  { name: 'sent-customer-ids', sql: SENT_CUSTOMER_IDS_MIGRATION },
  { name: 'read-model-sums', sql: SUMS_MIGRATION },
  // Older builds do not open records with a key of their own.
  { name: 'sealed-records', sql: 'select 1' },
  { name: 'usage-events-by-time', sql: EVENTS_BY_TIME_MIGRATION },
  { name: 'usage-events-of-all-by-time', sql: EVENTS_OF_ALL_BY_TIME_MIGRATION },
  { name: 'stored-data-c0ad0a1b5291', sql: 'select 1' },
  { name: 'restricted-streams', sql: RESTRICTED_STREAMS_MIGRATION },
  { name: 'console-sessions-sealed', sql: SEALED_SESSIONS_MIGRATION },
  { name: 'api-keys-sealed', sql: SEALED_KEYS_MIGRATION },
  { name: 'stored-data-75a8e765d68d', sql: 'select 1' },
  { name: 'idempotency-leases', sql: IDEMPOTENCY_LEASES_MIGRATION },
  { name: 'idempotency-erased', sql: IDEMPOTENCY_ERASED_MIGRATION },
  { name: 'stored-data-a49326959b8b', sql: 'select 1' },
];
