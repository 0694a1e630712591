import type { RunTerm } from '../../../src/billing/rating/run.js';
import { instant } from '../../../src/kernel/instant.js';
import type { Cancellation } from '../../../src/subscription/domain/term-state.js';

/** Cancels a term, by default on 11 January 2026, invoiced at once. */
export const cancelledTerm = (
  term: RunTerm,
  changes: Partial<Cancellation> = {},
  at = instant('2026-01-11'),
): RunTerm => ({
  ...term,
  term: { ...term.term, end: at, scheduledEnd: false, autoRenew: false },
  endedBy: 'cancelled',
  cancelled: { flatFee: null, usage: 'bill_full', invoicing: 'invoice_now', billedAt: at, ...changes },
  revision: '1',
});
