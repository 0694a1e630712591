import type { Instant } from '../../kernel/instant.js';
import type { PrepaidUnits, Term } from './events.js';

/** One change of the prepaid units of a component, as its term remembers it. */
export interface PrepaidChange extends PrepaidUnits {
  readonly unitsBefore: string;
  readonly effectiveAt: Instant;
  readonly invoiceNow: boolean;
  /** The end was moved after it: what it left of the window at the end is settled there, as with fees. */
  readonly settledAtEnd?: boolean;
}

/** The term with the latest units of that component. */
export const withUnits = (
  { prepaidUnits = [] }: Term,
  { metricId, units }: PrepaidUnits,
): Required<Pick<Term, 'prepaidUnits'>> => ({
  prepaidUnits: prepaidUnits.map((before) => (before.metricId === metricId ? { metricId, units } : before)),
});

export const settledAtEnd = (changes: readonly PrepaidChange[]): PrepaidChange[] =>
  changes.map((change) => ({ ...change, settledAtEnd: true }));
