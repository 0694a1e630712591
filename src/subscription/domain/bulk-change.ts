import type { TermChanges } from './change-term.js';
import type { CancelTerms } from './events.js';
import type { SubscriptionCommand } from './subscription.js';

/** One change of several subscriptions of a customer, accepted or refused as a whole (api-completed.md section 2). */
export type BulkChange =
  | { readonly kind: 'change'; readonly changes: TermChanges }
  | { readonly kind: 'cancel'; readonly terms: CancelTerms };

/** What it asks of each of them. */
export const commandOf = (change: BulkChange): SubscriptionCommand =>
  change.kind === 'cancel' ? { ...change, billedTogether: true } : change;
