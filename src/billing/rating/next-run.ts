import type { Instant } from '../../kernel/instant.js';
import { ascending } from '../../kernel/ids.js';
import type { RunData, RunTerm } from './run.js';
import { scheduleOf } from './schedule.js';
import { dueInstant, graceOf, unsettledTerms } from './run-terms.js';

/** Inputs of the next run of an account beside its data. */
export interface NextRunOptions {
  /** Terms that renewals will begin at the ends of those of the run. */
  readonly successors: readonly RunTerm[];
  /** True to include the advance charges of the periods that begin there. */
  readonly withNextPeriod: boolean;
  /** Instants, grace included, at which the account has planned runs (docs/billing.md#voids). */
  readonly planned?: readonly Instant[];
  /** Instant that the run comes after; by default this moment. */
  readonly after?: Instant;
}

/**
 * Returns the data of the account's next run, dated at its next due date including the grace, or at `after` when nothing
 * is due.
 *
 * @param data the account at this moment, which is its `asOf`
 */
export function nextRun(
  data: RunData,
  { successors, withNextPeriod, planned = [], after = data.asOf }: NextRunOptions,
): RunData {
  const grace = graceOf(data.organization.settings);
  const billedAt = (term: RunTerm): Instant[] => {
    const { next } = scheduleOf(term, after, grace);
    return next ? [dueInstant(next, grace)] : [];
  };
  const dates = [...planned.filter((at) => at > after), ...unsettledTerms(data).flatMap(billedAt)];
  const renewed: RunTerm[] = [];
  for (const successor of [...successors].sort(byStart)) {
    if (dates.some((date) => date < successor.term.start)) break;
    renewed.push(successor);
    dates.push(...billedAt(successor));
  }
  const terms = withNextPeriod
    ? [...data.terms, ...renewed]
    : data.terms.map((term) => ({ ...term, periodsBegunBy: data.asOf }));
  return { ...data, asOf: dates.sort()[0] ?? after, terms };
}

const byStart = (a: RunTerm, b: RunTerm): number => ascending(a.term.start, b.term.start);
