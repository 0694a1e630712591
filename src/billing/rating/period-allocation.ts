import type { Instant } from '../../kernel/instant.js';
import type { Money } from '../../kernel/money.js';
import type { BillingPeriod } from '../../pricing/proration.js';
import type { DraftLine } from './draft-lines.js';

/** The adjustment of a billing period. */
export interface PeriodAdjustment {
  readonly period: BillingPeriod;
  /** Start of the span over which the adjustment is rounded cumulatively; it ends with the period. */
  readonly since: Instant;
  /** The figure of the adjustment, prorated. */
  readonly amount: Money;
  /** Sum of the bases of the charges. */
  readonly base: Money;
  /** Adjustments that the charges have. */
  readonly adjusted: Money;
  /** The adjustment that the charges should have, minus the one that they have. */
  readonly left: Money;
}

/** A line with its index among the lines of its run. */
export interface AdjustedLine {
  readonly index: number;
  readonly line: DraftLine;
}

/** The adjustment that is left for a billing period, allocated to the lines of a run. */
export interface PeriodAllocation {
  readonly period: PeriodAdjustment;
  readonly members: readonly AdjustedLine[];
  /** Adjustments that the lines carry back of charges that they reduce, in the order of `members`. */
  readonly carried: readonly Money[];
  /** Amount left without what is carried back. */
  readonly rest: Money;
  /** Adjustment of each line: its share of the rest and what it carries back. */
  readonly shares: readonly Money[];
}
