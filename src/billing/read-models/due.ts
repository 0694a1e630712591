import type { Instant } from '../../kernel/instant.js';

export interface DuePaymentRow {
  org: string;
  invoice_id: string;
  customer_key: string;
  currency: string;
  due_at: Instant;
  cost_due: string;
}

/** Next due date of a term; without `due_at` nothing is due until the term changes. */
export interface DueBillingRow {
  org: string;
  subscription_id: string;
  customer_key: string;
  currency: string;
  due_at: Instant | null;
  graced: boolean;
  last_run_at: Instant | null;
  stream_revision: string;
}

export interface DueTermRow {
  org: string;
  subscription_id: string;
  boundary: Instant;
}

export interface BillingGraceRow {
  org: string;
  late_event_grace_minutes: number;
}
