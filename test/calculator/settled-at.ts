import type { Ms } from './calendar.js';
import type { Term } from './terms.js';

/**
 * Returns when a term, or an add-on on it, is settled at the latest (docs/billing.md#plan-switches): with a
 * cancellation that is invoiced at once and is not before its end, or with the end of its subscription.
 */
export function settledAt(member: Term, plan: Term, terms: readonly Term[], grace: Ms): Ms {
  const at = terms.flatMap(({ cut }) =>
    cut?.by === 'cancel' && !cut.graced && cut.billedAt >= member.end ? [cut.billedAt] : [],
  );
  const { end, cut } = lastOf(plan, terms);
  return Math.min(...at, cut ? cut.billedAt + (cut.graced ? grace : 0) : end + grace);
}

/** Returns the last of the terms that switches made of a term. */
function lastOf(term: Term, terms: readonly Term[]): Term {
  if (term.cut?.by !== 'switch') return term;
  const next = terms.slice(terms.indexOf(term) + 1).find((one) => one.subscription === term.subscription);
  return next ? lastOf(next, terms) : term;
}
