/** The rules that a term is measured by from its start to its end (docs/billing.md#policies): what a window of it costs. */
interface TermRules {
  /**
   * Length of the granularity `total`: the billing period as it stands, so that a cut shortens it; or the full
   * period of the plan's duration.
   */
  readonly total: 'billing_period' | 'full_period';
  /**
   * Which reset intervals count months, quarters and years from where their windows are counted, and not from the term's
   * anchor.
   */
  readonly monthsOfWindows: 'of_any_interval' | 'of_months_and_years';
  /** Whether a rate looks back before its subscription began. */
  readonly rateLooksBeforeStart: boolean;
  /** Whether `charge_full` charges nothing of a term that ended at the instant it began. */
  readonly fullNeedsTime: boolean;
}

/** The rules that hold for an invoice as a whole, whatever its terms are measured by. */
interface InvoiceRules {
  /** Order of lines after the start of their term. */
  readonly lineOrder: 'of_term_ids' | 'of_place_and_name';
  /** Terms that a cancellation invoiced at once settles: its own, or all of the account that are over. */
  readonly cancellationSettles: 'its_term' | 'all_that_is_over';
  /** Whether a difference that gives back never bears tax, where its window bears more than it was charged. */
  readonly givesBackNoNegativeTax: boolean;
}

/** Rounding, proration, drawdown and settlement taken together (docs/billing.md#policies). */
export interface Policy {
  readonly term: TermRules;
  readonly invoice: InvoiceRules;
}

/**
 * Every policy that an amount was ever computed by. A change of an amount is a new policy beside these, which stay as they
 * are: books that were written by them are verified by them (test/fixtures/books).
 */
const POLICIES: Readonly<Record<string, Policy>> = {
  '2026-1': {
    term: {
      total: 'billing_period',
      monthsOfWindows: 'of_any_interval',
      rateLooksBeforeStart: true,
      fullNeedsTime: true,
    },
    invoice: {
      lineOrder: 'of_term_ids',
      cancellationSettles: 'its_term',
      givesBackNoNegativeTax: true,
    },
  },
  '2026-2': {
    term: {
      total: 'full_period',
      monthsOfWindows: 'of_months_and_years',
      rateLooksBeforeStart: false,
      fullNeedsTime: false,
    },
    invoice: {
      lineOrder: 'of_place_and_name',
      cancellationSettles: 'all_that_is_over',
      givesBackNoNegativeTax: false,
    },
  },
};

/** Policy of runs that name none. */
export const FIRST_POLICY = '2026-1';

/** By which terms begin and invoices are computed today. */
export const POLICY = '2026-2';

/** @throws Error for a policy of a later version */
export function policyOf(name: string): Policy {
  const policy = POLICIES[name];
  if (!policy) throw new Error(`policy ${name} is of a later version`);
  return policy;
}
