import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { ComputedInvoice, TermBillingStatus, ClosedUsagePeriod } from './event-data.js';

/** Outcome of a recorded run. */
export type RunOutcome =
  | { readonly asOf: Instant; readonly kind: 'invoice'; readonly invoiceId: Uuid }
  | { readonly asOf: Instant; readonly kind: 'nothing' };

/** A run that found nothing to invoice; it is recorded so that it is not repeated. */
interface NothingToInvoice {
  readonly runId: Uuid;
  readonly customerKey: Uuid;
  readonly currency: string;
  readonly asOf: Instant;
  readonly terms: readonly TermBillingStatus[];
  readonly policy: string;
}

/**
 * Result of a billing run, computed on the account at `accountRevision` (null: no event yet). Closed usage periods are
 * kept also where they led to no invoice: the usage of a window is counted once.
 */
export type RunResult = {
  readonly accountRevision: string | null;
  readonly closedPeriods: readonly ClosedUsagePeriod[];
} & (
  | { readonly type: 'InvoiceComputed'; readonly invoice: ComputedInvoice }
  | { readonly type: 'NothingDue'; readonly nothing: NothingToInvoice }
);
