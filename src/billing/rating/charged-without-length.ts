import { isEmpty } from '../../kernel/period.js';
import { policyOf } from '../../pricing/policy.js';
import type { RunTerm } from './run.js';

/**
 * Whether a cancellation charges the whole fee of a term that ended at the instant it began, which has no length and owes
 * nothing otherwise (docs/billing.md#charge-full).
 */
export const isChargedWithoutLength = ({ term, cancelled }: Pick<RunTerm, 'term' | 'cancelled'>): boolean =>
  cancelled?.flatFee === 'charge_full' &&
  !cancelled.neverBegan &&
  isEmpty(term) &&
  !policyOf(term.basis.policy).term.fullNeedsTime;
