import type { PlanComponent, PriceContent, RecurringCharge } from '../../catalog/domain/price-content.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import type { RunTerm } from './run.js';

/** One thing that falls due: a charge or a component over a window of a term. */
export interface ScheduledItem {
  /** What is charged, whatever was charged of it before: desired minus billed is kept per key. */
  readonly chargeKey: string;
  readonly source:
    | { readonly kind: 'recurring'; readonly charge: RecurringCharge; readonly index: number }
    | { readonly kind: 'prepaid' | 'usage'; readonly component: PlanComponent; readonly index: number };
  readonly period: Period;
  /** The part of the window that this item charges: all of it, or up to an intermediate invoicing date. */
  readonly segment: Period;
  /** The whole window inside the period. */
  readonly window: Period;
  /** The full interval that the window is a part of: what a fraction is measured against. */
  readonly full: Period;
  readonly dueAt: Instant;
  /** Whether it waits for the late-event grace. */
  readonly graced: boolean;
  readonly billingType: 'in_advance' | 'in_arrears' | 'intermediate';
}

export interface NextDue {
  readonly at: Instant;
  readonly graced: boolean;
}

/** What of the term is due by `asOf`, in the order of the plan, and what falls due next; null: nothing more. */
export function scheduleOf(
  _term: Pick<RunTerm, 'term' | 'renewal' | 'cut'>,
  _content: PriceContent,
  _asOf: Instant,
  _graceMinutes: number,
): { readonly due: readonly ScheduledItem[]; readonly next: NextDue | null } {
  throw new Error('not written yet');
}

/** The next instant at which something of the term is billed; null when nothing is left. */
export function nextDue(
  term: Pick<RunTerm, 'term' | 'renewal' | 'cut'>,
  content: PriceContent,
  asOf: Instant,
  graceMinutes: number,
): NextDue | null {
  return scheduleOf(term, content, asOf, graceMinutes).next;
}
