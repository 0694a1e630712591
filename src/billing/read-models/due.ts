import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

export interface DuePaymentRow {
  org: string;
  invoice_id: string;
  customer_key: string;
  currency: string;
  due_at: Instant;
  cost_due: string;
}

/** Next due date of a term; without `due_at` nothing is due until the term changes, or a run meets it. */
export interface DueBillingRow {
  org: string;
  subscription_id: string;
  customer_key: string;
  currency: string;
  due_at: Instant | null;
  graced: boolean;
  unmet: boolean;
  last_run_at: Instant | null;
  stream_revision: string;
  recorded_at: Instant | null;
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

/** An account that is due, from the rows of its terms. */
export interface DueAccount {
  readonly org: Uuid;
  readonly customer_key: Uuid;
  readonly currency: string;
  /** True if something is due to be billed. Otherwise a run only finds out when the terms fall due. */
  readonly billable: boolean;
  /** Time of the cause: the latest due or recorded time among the rows. A run of this cause cannot be older. */
  readonly caused_at: Instant;
  /** Cause of the run. Every process derives the same cause from the same rows. */
  readonly cause: string;
  /**
   * Terms that the run is made for. The account does not know a term whose first run was parked, so the run is given
   * them.
   */
  readonly terms: readonly Uuid[];
}
