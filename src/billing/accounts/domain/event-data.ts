import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { StoredMoney } from '../../../kernel/money.js';
import type { Period } from '../../../kernel/period.js';
import type { SubscriptionFilter } from '../../../subscription/domain/events.js';

/** The usage of one component window as it was counted, and the evidence it was counted from. */
export interface ClosedUsagePeriod {
  readonly closeId: Uuid;
  /** Charge that uses it: the key of the lines that are rated from it. */
  readonly chargeKey: string;
  readonly subscriptionId: Uuid;
  /** For an add-on's component: the add-on on the term. */
  readonly addonSubscriptionId?: Uuid;
  readonly metricId: Uuid;
  /** The component's window, or its part up to an intermediate invoicing date. */
  readonly window: Period;
  /** Interval that was read for the window: the window itself for counters. */
  readonly reading: Period;
  /** For gauges and rates: the billing period as it was, which the granularity `total` is measured by. */
  readonly period?: Period;
  /** Exact: decimal text, or `n/d` where the decimal does not end. */
  readonly quantity: string;
  readonly eventCount: number;
  /** Events whose value is not a number, counted as absent. */
  readonly absentValues: number;
  /** Watermark of the usage log: only batches numbered up to it were counted. */
  readonly sealedUpTo: string;
  /** sha256 over the body hashes in order of event id; where it goes on from another close, see `level.after`. */
  readonly digest: string;
  readonly supersedes: Uuid | null;
  /** For gauges that deltas move; absent in closes from before it was kept. */
  readonly level?: GaugeLevel;
}

/** Sum of all deltas up to the end of a closed window: a later count continues from it. */
export interface GaugeLevel {
  /** Exact. */
  readonly reached: string;
  /** The subscription's: with the metric they say which deltas these are. */
  readonly filters: readonly SubscriptionFilter[];
  /**
   * The close that this one goes on from: `eventCount` and `absentValues` are its and those of the deltas it has not, and
   * `digest` is sha256 over its digest and that of these deltas; its own where there are none. Null: none, all were read.
   */
  readonly after: Uuid | null;
}

/** The newest count of a component's window; an intermediate one reaches to its invoicing date. */
export interface PeriodCount {
  readonly closeId: Uuid;
  readonly window: Period;
  /** Decimal text or `n/d`. */
  readonly quantity: string;
  /** The evidence: what a count of the same window is compared with. */
  readonly eventCount: number;
  readonly digest: string;
  readonly sealedUpTo: string;
  /** Whether it replaced an earlier count of the same window. */
  readonly isRecount: boolean;
  /** For a gauge that deltas move: the level that a count of the same deltas continues from. */
  readonly level?: { readonly reached: string; readonly absentValues: number };
}

export interface LineAdjustment {
  readonly amount: StoredMoney;
  readonly account: string;
  readonly type: 'sales_tax' | 'plan_adjustment' | 'credit';
}

export interface InvoiceLine {
  /** Present where an add-on is charged, and not the plan. */
  readonly addon?: {
    readonly addonId: Uuid;
    readonly addonSubscriptionId: Uuid;
    readonly addonVersionId: Uuid;
    readonly name: string;
  };
  /** Names the charge: term, charge or component, window, segment. Desired minus billed is kept per key. */
  readonly chargeKey: string;
  readonly name: string;
  readonly subscriptionId: Uuid | null;
  readonly plan: {
    readonly planId: Uuid;
    readonly versionId: Uuid;
    readonly name: string;
    readonly version: number;
  } | null;
  readonly filters: readonly SubscriptionFilter[] | null;
  readonly period: Period;
  /** True when the period's end is a boundary of the schedule, false when somebody set it: they are shown differently. */
  readonly scheduledEnd: boolean;
  /** Local dates of the first and last instant covered, for the invoice's own dates. */
  readonly localDates: { readonly first: string; readonly last: string };
  /** Decimal text; null where a line has no quantity. */
  readonly quantity: string | null;
  readonly billingType: 'in_advance' | 'in_arrears' | 'intermediate' | 'one_time';
  readonly base: StoredMoney;
  readonly adjustments: readonly LineAdjustment[];
  /** base + adjustments other than tax. */
  readonly subtotal: StoredMoney;
  /** subtotal + tax. */
  readonly amount: StoredMoney;
  /** How the base came about, for people: the rule, and what it was applied to. */
  readonly explanation: {
    readonly rule:
      | 'recurring_charge'
      | 'prepaid_units'
      | 'usage'
      | 'credit_purchase'
      | 'credit_drawdown'
      | 'credit_grant'
      | 'invoice_reduction';
    /** Exact share of the full interval that is charged, `n/d`. */
    readonly fraction?: string;
    /** For prepaid units that changed within the window: how many since when, over which share of the full interval. */
    readonly held?: readonly { readonly fraction: string; readonly from: Instant; readonly units: string }[];
    /** The count a usage line was rated from. */
    readonly closeId?: Uuid;
    /** Units of the window's usage that an earlier plan was paid for, exact: they are not rated. */
    readonly covered?: string;
    /** The count that the line before it was rated from, when this line bills the difference. */
    readonly previousCloseId?: Uuid;
    /** Percent. */
    readonly taxRate?: string;
  };
}

/** Where a run read from. A verification reads the same streams up to the same revisions and must find the same result. */
export interface RunInputs {
  readonly asOf: Instant;
  readonly policy: string;
  readonly organizationRevision: string;
  readonly customerRevision: string;
  /** Revision of the account the run was computed on; null when the account had no event yet. */
  readonly accountRevision: string | null;
  readonly terms: readonly {
    /** The prices of its add-ons; absent where it has none. */
    readonly addons?: readonly {
      readonly addonSubscriptionId: Uuid;
      readonly addonVersionId: Uuid;
      readonly contentHash: string;
    }[];
    readonly subscriptionId: Uuid;
    readonly revision: string;
    readonly versionId: Uuid;
    readonly contentHash: string;
    /** Revision of the plan's stream: lines show its name, which may change later. */
    readonly planRevision: string;
  }[];
  /** The closes this run made itself; earlier ones are in the account up to its revision. */
  readonly closeIds: readonly Uuid[];
}

/** Status that a run found for each unsettled term of the account. */
export interface TermBillingStatus {
  readonly subscriptionId: Uuid;
  /** Stream revision of the term that was read: a later change makes it due again. */
  readonly revision: string;
  /** Next instant at which something of this term is billed; null when nothing more will be. */
  readonly nextDueAt: Instant | null;
  /** Whether that waits for the late-event grace. */
  readonly nextDueGraced: boolean;
  /** Everything is billed and the time for corrections is over: later runs leave it out. */
  readonly settled: boolean;
  /** Its add-ons; absent where it has none. One is `billed` that was cancelled on its own and owes nothing any more. */
  readonly addons?: readonly { readonly addonSubscriptionId: Uuid; readonly billed: boolean }[];
}

/** So much of a credit was drawn, or given as a credit. Always positive. */
interface CreditAmount {
  readonly creditId: Uuid;
  readonly amount: StoredMoney;
}

export interface ComputedInvoice {
  readonly runId: Uuid;
  readonly invoiceId: Uuid;
  readonly customerKey: Uuid;
  readonly currency: string;
  readonly asOf: Instant;
  readonly issuedAt: Instant;
  readonly dueAt: Instant | null;
  readonly lines: readonly InvoiceLine[];
  /** Sum of the lines, also of those that apply or grant a credit. */
  readonly total: StoredMoney;
  /** Amount to pay. */
  readonly costDue: StoredMoney;
  /** Amounts it takes from credits, in the order of docs/billing.md#credits. */
  readonly drawdowns: readonly CreditAmount[];
  /** Credits without expiry that it makes of a negative total. */
  readonly grants: readonly CreditAmount[];
  /** Amounts by which a negative total reduces the cost due of unpaid invoices. */
  readonly reductions: readonly { readonly invoiceId: Uuid; readonly amount: StoredMoney }[];
  readonly terms: readonly TermBillingStatus[];
  readonly inputs: RunInputs;
  /** sha256 over the canonical inputs. */
  readonly fingerprint: string;
  /** sha256 over the canonical lines, totals, drawdowns, grants and reductions. */
  readonly resultHash: string;
  /** Version of the rounding, proration and drawdown rules. */
  readonly policy: string;
}

/** Amount that an invoice had charged under one chargeKey and rate: it leaves the sums of the account and is owed again. */
export interface ChargedAmount {
  readonly chargeKey: string;
  /** Percent; absent where an older event did not say it. */
  readonly taxRate?: string | null;
  readonly base: StoredMoney;
  /** Price adjustments, without tax. */
  readonly adjustments: StoredMoney;
  readonly tax: StoredMoney;
  /** Exact quantity of usage, once per key: decimal text or `n/d`; "0" for anything else. */
  readonly quantity: string;
}

/** All that an account knows of one chargeKey, in an event: what is carried need not be remembered. */
export interface ChargeSnapshot extends Omit<ChargedAmount, 'quantity' | 'taxRate'> {
  readonly taxRate: string | null;
  readonly close: PeriodCount | null;
  readonly voided: string | null;
  /** By tax rate, the oldest first; absent where all of it has one, and nothing of it was voided. */
  readonly parts?: readonly (Pick<ChargedAmount, 'base' | 'adjustments' | 'tax'> & {
    readonly taxRate: string | null;
    /** Base of voided invoices, which is charged anew with this rate. */
    readonly voided: StoredMoney;
  })[];
}

/** All that an account knows of an invoice, in an event. */
export interface InvoiceSnapshot {
  readonly invoiceId: Uuid;
  readonly resultHash: string;
  readonly issuedAt: Instant;
  /** Null until it is issued. */
  readonly number: string | null;
  readonly status: 'unpaid' | 'paid' | 'voided';
  /** Still to be paid; 0 when paid or voided. */
  readonly costDue: StoredMoney;
  /** Keys it charged; empty once it is not unpaid, as only those are reduced. */
  readonly chargeKeys: readonly string[];
  readonly payment: ExternalPayment;
}

/** An issued, unpaid invoice that is no longer owed. It keeps its number, and what it charged is billed again. */
export interface VoidedInvoice {
  readonly invoiceId: Uuid;
  readonly number: string;
  readonly customerKey: Uuid;
  readonly currency: string;
  readonly voidedAt: Instant;
  readonly charges: readonly ChargedAmount[];
  /** Amounts that go back to the credits it had drawn from. */
  readonly drawdowns: readonly CreditAmount[];
  /** The terms that it had charged, with the instant at which that is billed again. */
  readonly terms: readonly TermBillingStatus[];
  /** For terms that were settled already, the parts that the account had dropped: sums before this, counts, other unpaid invoices. */
  readonly recalled: {
    readonly charges: readonly ChargeSnapshot[];
    readonly closes: readonly (PeriodCount & { readonly chargeKey: string })[];
    readonly invoices?: readonly InvoiceSnapshot[];
  };
  /** Whether it is billed again at once. */
  readonly rebill: boolean;
}

/** A credit that a customer can spend on later invoices of the account; free where `purchase` is null. */
export interface CreditGrant {
  readonly creditId: Uuid;
  readonly customerKey: Uuid;
  readonly currency: string;
  readonly amount: StoredMoney;
  /** In the open: words of the engine's own, and what releases stored that did not seal them. */
  readonly description: string | null;
  /** Opaque text of the vault: the words of whoever granted it. */
  readonly sealedDescription?: string | null;
  readonly effectiveAt: Instant;
  readonly expiresAt: Instant | null;
  readonly grantedAt: Instant;
  readonly purchase: CreditPurchase | null;
}

/** Purchase of a credit; the invoice is appended with the grant. */
export interface CreditPurchase {
  readonly invoiceId: Uuid;
  readonly amountPaid: StoredMoney;
  /** In which the days of the invoice are shown. */
  readonly zone: string;
}

/** The object that stands for an invoice at the payment provider. */
export interface ExternalPayment {
  readonly id: string | null;
  readonly type: 'provider_a' | 'provider_b' | null;
  readonly status: string | null;
}
