import type { PrepaidChange, PrepaidUnits } from '../../pricing/term-basis.js';
import type { Term } from './events.js';

/** The term with the latest units of that component. */
export const withUnits = (
  { prepaidUnits = [] }: Term,
  { metricId, units }: PrepaidUnits,
): Required<Pick<Term, 'prepaidUnits'>> => ({
  prepaidUnits: prepaidUnits.map((before) => (before.metricId === metricId ? { metricId, units } : before)),
});

export const settledAtEnd = (changes: readonly PrepaidChange[]): PrepaidChange[] =>
  changes.map((change) => ({ ...change, settledAtEnd: true }));
