import type { Instant } from '../kernel/instant.js';
import type { Trigger } from './domain/triggers.js';

export interface WebhookEventRow {
  org: string;
  event_id: string;
  trigger: Trigger;
  subject_id: string;
  commit: string;
  prepare: string;
  occurred_at: Instant;
}
