import type { EarlyEnd, MetricDefinition, PriceContent, PrepaidChange } from '../../pricing/price-content.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { Period } from '../../kernel/period.js';
import type { UsageBasis } from '../../metering/domain/granularity.js';
import type { SubscriptionFilter, Term } from '../../subscription/domain/events.js';
import type { Cancellation, CompletedSwitch } from '../../subscription/domain/term-state.js';
import type { AccountState } from '../accounts/domain/account-state.js';
import type { GaugeCheckpoint } from '../accounts/domain/gauge-checkpoints.js';
import type { GaugeLevel } from '../accounts/domain/event-data.js';

/** A due date. `graced`: it is billed when the late-event grace after it has passed. */
export interface DueDate {
  readonly at: Instant;
  readonly graced: boolean;
}

/** The fields that an add-on has beside those of its term. */
export interface RunAddon {
  readonly addonSubscriptionId: Uuid;
  readonly addonId: Uuid;
  readonly addonVersionId: Uuid;
  readonly name: string;
  /** Multiplies its recurring charges. */
  readonly quantity: number;
  /** True if only the first window of a charge is charged (`one_time`). */
  readonly once: boolean;
  /** True if charges in advance are invoiced at its end. */
  readonly advanceChargesAtEnd: boolean;
  /** False once it was cancelled on its own. */
  readonly endsWithTerm: boolean;
}

/** One unsettled term of the account with its prices, or an add-on on it. */
export interface RunTerm {
  /** The term with its present end, which may have been moved or cut. */
  readonly term: Term;
  /** True when a renewal opened it: its first charges stand on the invoice of that boundary and wait for the grace. */
  readonly renewal: boolean;
  /** Event that cut the term short; null while it runs to its agreed end. */
  readonly endedBy: EarlyEnd;
  /** Settlement of a cancelled term. */
  readonly cancelled?: Cancellation;
  /** Settlement of a term that a switch ended. */
  readonly switched?: CompletedSwitch;
  /** True when its end was moved: advance charges are then computed again at the end. */
  readonly endMoved?: boolean;
  /** The changes of its prepaid units, in their order; `term` has the latest units. */
  readonly prepaidChanges?: readonly PrepaidChange[];
  /** Stream revision it was read at. */
  readonly revision: string;
  readonly content: PriceContent;
  readonly contentHash: string;
  /** Revision of the plan's stream that the name and number were read at. */
  readonly planRevision: string;
  readonly planName: string;
  readonly versionNumber: number;
  /** Set on an add-on: then `term` is the part of the term that it runs. */
  readonly addon?: RunAddon;
  /** Due dates at which another term's end bills the rest of this term, if they are earlier than its own. */
  readonly dueByOtherTerms?: readonly DueDate[];
  /** Set by a preview of what is owed so far: billing periods that begin later are left out. */
  readonly periodsBegunBy?: Instant;
}

/** The settings that amounts and dates depend on. */
export interface RunSettings {
  /** Percent as decimal text; null: no tax. */
  readonly taxRate: string | null;
  /** Days from issue to due date; null: no due date. */
  readonly paymentGraceDays: number | null;
  readonly lateEventGraceMinutes: number;
}

/** All inputs of a billing run: amounts depend on nothing else. */
export interface RunData {
  readonly org: Uuid;
  readonly runId: Uuid;
  readonly invoiceId: Uuid;
  /** The issue date: what is due by then, with the late-event grace, is billed. */
  readonly asOf: Instant;
  readonly customerKey: Uuid;
  readonly currency: string;
  readonly organization: { readonly settings: RunSettings; readonly revision: string };
  /** `taxRate`: percent; null: the organization's; "0": exempt. */
  readonly customer: { readonly taxRate: string | null; readonly revision: string };
  readonly account: AccountState;
  readonly terms: readonly RunTerm[];
  readonly policy: string;
}

/** A count of usage that a run needs: a component's window that is due and not closed up to there. */
export interface UsageNeed {
  readonly subscriptionId: Uuid;
  readonly metricId: Uuid;
  /** Set where an add-on counts: the plan may count the metric by another basis. */
  readonly addonSubscriptionId?: Uuid;
  readonly definition: MetricDefinition;
  readonly filters: readonly SubscriptionFilter[];
  /** The whole window, or its part up to an intermediate invoicing date. Half-open. */
  readonly window: Period;
  /** The span of events to read: the window itself for counters. */
  readonly reading: Period;
  /** The granularity basis, for gauges and rates. */
  readonly basis?: UsageBasis;
  /** The checkpoint that the count continues, for a gauge that deltas move. */
  readonly base?: GaugeCheckpoint;
}

/** The answer to a need: the count and its evidence, from which `UsagePeriodClosed` is made. */
export interface CountedUsage {
  readonly subscriptionId: Uuid;
  readonly metricId: Uuid;
  readonly addonSubscriptionId?: Uuid;
  readonly window: Period;
  readonly reading: Period;
  /** Decimal text, or `n/d` where the decimal does not end. */
  readonly quantity: string;
  readonly eventCount: number;
  readonly absentValues: number;
  readonly sealedUpTo: string;
  readonly digest: string;
  readonly level?: GaugeLevel;
}
