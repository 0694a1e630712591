import type { GoldenScenario, GoldenStep } from '../calculator/golden-history.js';

/** A case in steps, in the words of the interface, with what is expected of them. */
export interface ScenarioModel extends GoldenScenario<Expectation> {
  /** What the price adjustment of the last invoice sums to. */
  readonly plan_adjustment?: string;
}

export type Step = GoldenStep<Expectation>;

export interface Expectation {
  /** Of a step that is refused. */
  readonly status?: 400;
  /** Null: the step issues no invoice. */
  readonly invoice?: null | { readonly amount: string; readonly billing_type?: string };
  /** What the invoice draws, by the name of the credit. */
  readonly drawdowns?: Readonly<Record<string, string>>;
  /** What is left of credits after the step; one amount: of the credit of this step. */
  readonly amount_remaining?: string | Readonly<Record<string, string>>;
  readonly credit_granted?: string;
  /** What the invoice draws from credits in all, as its line says it. */
  readonly applied_credit?: string;
  /** What is left of all credits after the step. */
  readonly credit_left?: string;
  readonly zero_lines?: number;
  /** Lines after price adjustment, before tax, in any order, without zero lines. */
  readonly nonzero_net_lines?: readonly string[];
  /** Amounts of the lines that charge, in their order. */
  readonly line_amounts?: readonly string[];
  readonly tax?: string;
  readonly amount?: string;
  /** Of the first usage line; exact, so also `470/31`. */
  readonly quantity?: string;
  readonly billing_type?: string;
  /** Units that are paid for beforehand from now on. */
  readonly later_windows_units?: string;
  readonly note?: string;
  readonly term_start_utc?: string;
  /** Of the newest term, as it is shown. */
  readonly end_date?: string;
}
