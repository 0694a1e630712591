import type { Ms } from './calendar.js';
import type { Term } from './terms.js';

/** Returns when a cancellation that is invoiced at once settles a term that ended before it; Infinity without one. */
export function settledAt({ end }: Term, terms: readonly Term[]): Ms {
  const at = terms.flatMap(({ cut }) =>
    cut?.by === 'cancel' && !cut.graced && cut.billedAt >= end ? [cut.billedAt] : [],
  );
  return Math.min(...at);
}
