import { DAY, earliest, toMicros, type Instant } from '../src/kernel/instant.js';
import type { Interval } from '../src/kernel/period.js';
import type { RunData, RunTerm } from '../src/billing/rating/run.js';
import { intervalsOf, sourcesOf } from '../src/pricing/price-content.js';
import { RefusedBundle } from './refused-bundle.js';
import type { WorkLimit } from './work-limit.js';

/** Windows of one charge or component of a term; daily ones of a century are fewer. */
const MAX_WINDOWS = 50_000;
/** Computing a window takes as long as passing some usage events. */
const STEPS_OF_WINDOW = 5;
/** Comparing a window with an invoicing date takes a part of a step. */
const DATES_A_STEP = 100;

/**
 * Spends the steps of the windows that computing a run goes through. Their number follows from dates and intervals in
 * events, not from the number of lines.
 * @throws RefusedBundle
 */
export function spendOnSchedule({ terms, asOf, customerKey, runId }: RunData, work: WorkLimit): void {
  let [windows, comparisons] = [0, 0];
  for (const term of terms) {
    for (const source of sourcesOf(term.content)) {
      const { resetInterval, invoicingInterval } = intervalsOf(source);
      const ofSource = Math.max(
        countOf(term, term.term.basis.duration, asOf),
        countOf(term, resetInterval, asOf),
      );
      if (ofSource > MAX_WINDOWS) {
        throw new RefusedBundle(
          `customer ${customerKey}: a term of run ${runId} has over ${MAX_WINDOWS} windows, which that of no service has. Ask for the bundle again`,
        );
      }
      windows += ofSource;
      comparisons += ofSource * countOf(term, invoicingInterval, asOf);
    }
  }
  work.spend(STEPS_OF_WINDOW * windows + comparisons / DATES_A_STEP);
}

/** Returns how often an interval fits into a term until an instant, and once more. */
function countOf({ term }: RunTerm, interval: Interval | null, asOf: Instant): number {
  if (interval === null) return 1;
  const days = Number((toMicros(earliest(term.end, asOf)) - toMicros(term.start)) / DAY);
  return 1 + Math.max(0, days) / daysOf(interval);
}

/** Returns the fewest days of an interval; of one that no event has, one. */
function daysOf({ unit, count }: Interval): number {
  const days = { day: 1, week: 7, month: 28, year: 365 }[unit] ?? 1;
  return Math.max(1, days * count) || 1;
}
