/**
 * Version of the rules of rounding, proration and drawdown taken together (billing.md section 1). Every term and every
 * invoice says by which it was computed; when a second comes, this one stays beside it, frozen with its goldens.
 */
export const POLICY = '2026-1';
