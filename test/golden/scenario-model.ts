import type { GoldenScenario, GoldenStep } from '../calculator/golden-history.js';

/** A case in steps with expectations, with the contract's field names. */
export interface ScenarioModel extends GoldenScenario<Expectation> {
  /** Sum of the price adjustments on the last invoice. */
  readonly plan_adjustment?: string;
}

export type Step = GoldenStep<Expectation>;

export interface Expectation {
  /** Set when the step is refused. */
  readonly status?: 400;
  /** Null when the step issues no invoice. */
  readonly invoice?: null | { readonly amount: string; readonly billing_type?: string };
  /** Amounts drawn by the invoice, by credit name. */
  readonly drawdowns?: Readonly<Record<string, string>>;
  /** Remaining amounts of credits after the step by name; a single amount means the credit of this step. */
  readonly amount_remaining?: string | Readonly<Record<string, string>>;
  readonly credit_granted?: string;
  /** Total drawn from credits, as on the invoice's line. */
  readonly applied_credit?: string;
  /** Total of all credits after the step. */
  readonly credit_left?: string;
  readonly zero_lines?: number;
  /** Net amounts of lines after price adjustment and before tax, in any order, without zeros. */
  readonly nonzero_net_lines?: readonly string[];
  /** Amounts of the charge lines, in order. */
  readonly line_amounts?: readonly string[];
  readonly tax?: string;
  readonly amount?: string;
  /** Exact quantity of the first usage line, such as `470/31`. */
  readonly quantity?: string;
  readonly billing_type?: string;
  /** Prepaid units of later windows. */
  readonly later_windows_units?: string;
  readonly note?: string;
  readonly term_start_utc?: string;
  /** End of the newest term, as the API shows it. */
  readonly end_date?: string;
}
