import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';

/** Outcome of a run. */
export type RunOutcome = { readonly asOf: Instant } & (
  { readonly kind: 'invoice'; readonly invoiceId: Uuid } | { readonly kind: 'nothing' }
);
