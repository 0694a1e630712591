import type { Instant } from '../kernel/instant.js';

/** Kinds of subjects of events. */
export const SUBJECT_KINDS = [
  'organization',
  'api_key',
  'usage_alert',
  'webhook',
  'plan',
  'addon',
  'metric',
  'feature',
  'customer',
  'subscription',
  'account',
  'invoice',
  'credit',
  'number_series',
] as const;

export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export interface AuditEntryRow {
  org: string;
  commit: string;
  prepare: string;
  event_id: string;
  type: string;
  stream: string;
  stream_revision: string;
  subject_kind: SubjectKind;
  subject_id: string;
  customer_key: string | null;
  actor: string;
  command_id: string;
  request_id: string;
  recorded_at: Instant;
  changes: object;
  left_out: readonly string[];
}
