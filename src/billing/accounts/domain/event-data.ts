import type { Uuid } from '../../../kernel/ids.js';
import type { Instant } from '../../../kernel/instant.js';
import type { StoredMoney } from '../../../kernel/money.js';
import type { Period } from '../../../kernel/period.js';
import type { SubscriptionFilter } from '../../../subscription/domain/events.js';

/** The usage of one component window as it was counted, and the evidence it was counted from. */
export interface ClosedUsagePeriod {
  readonly closeId: Uuid;
  /** Key of the lines that are rated from it. */
  readonly chargeKey: string;
  readonly subscriptionId: Uuid;
  /** The add-on on the term, when its component is counted. */
  readonly addonSubscriptionId?: Uuid;
  readonly metricId: Uuid;
  /** The component's window, or its part up to an intermediate invoicing date. */
  readonly window: Period;
  /** The span of events that was read: the window itself for counters. */
  readonly reading: Period;
  /** The billing period at the time, which the granularity `total` of gauges and rates is based on. */
  readonly period?: Period;
  /** Exact: decimal text, or `n/d` where the decimal does not end. */
  readonly quantity: string;
  readonly eventCount: number;
  /** Events whose value is not a number, counted as absent. */
  readonly absentValues: number;
  /** Watermark of the usage log: only batches numbered up to it were counted. */
  readonly sealedUpTo: string;
  /** sha256 over the body hashes in order of event id; where the count continues another one, see `level.after`. */
  readonly digest: string;
  readonly supersedes: Uuid | null;
  /** Level of a gauge that deltas move; absent in events of releases that did not keep it. */
  readonly level?: GaugeLevel;
}

/** Level of a gauge at the end of a closed period, from all deltas up to there: a later count continues it. */
export interface GaugeLevel {
  /** Exact. */
  readonly reached: string;
  /** The subscription's: with the metric they say which deltas these are. */
  readonly filters: readonly SubscriptionFilter[];
  /**
   * The closed period that this count continues; null: all deltas were read. `eventCount` and `absentValues` are that
   * period's plus those of the new deltas; `digest` is sha256 over both digests, or that period's without new deltas.
   */
  readonly after: Uuid | null;
}

/** The newest count of a component's window; an intermediate one reaches to its invoicing date. */
export interface PeriodCount {
  readonly closeId: Uuid;
  readonly window: Period;
  /** Decimal text or `n/d`. */
  readonly quantity: string;
  /** The evidence that a count of the same window is compared with. */
  readonly eventCount: number;
  readonly digest: string;
  readonly sealedUpTo: string;
  /** True when it replaced an earlier count of the same window. */
  readonly isRecount: boolean;
  /** Level of a gauge that deltas move: a later count continues it. */
  readonly level?: { readonly reached: string; readonly absentValues: number };
}

export interface LineAdjustment {
  readonly amount: StoredMoney;
  readonly account: string;
  readonly type: 'sales_tax' | 'plan_adjustment' | 'credit';
}

export interface InvoiceLine {
  /** Set where an add-on is charged, and not the plan. */
  readonly addon?: {
    readonly addonId: Uuid;
    readonly addonSubscriptionId: Uuid;
    readonly addonVersionId: Uuid;
    readonly name: string;
  };
  /** Names what is charged (`ChargeKey`). */
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
  /** True when the period ends at a boundary of the schedule, false at an end that was set: both are shown differently. */
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
  /** Explains the base to people: the rule, and the figures it was applied to. */
  readonly explanation: {
    readonly rule:
      | 'recurring_charge'
      | 'prepaid_units'
      | 'usage'
      | 'credit_purchase'
      | 'credit_drawdown'
      | 'credit_grant'
      | 'invoice_reduction';
    /** Exact proration factor, `n/d`. */
    readonly fraction?: string;
    /** Prepaid units that changed within the window: how many from when, with the proration factor. */
    readonly held?: readonly { readonly fraction: string; readonly from: Instant; readonly units: string }[];
    /** The count a usage line was rated from. */
    readonly closeId?: Uuid;
    /** Units of the window's usage that prepaid units of an earlier plan cover, exact: they are not rated. */
    readonly covered?: string;
    /** The count that the line before it was rated from, when this line bills the difference. */
    readonly previousCloseId?: Uuid;
    /** Percent. */
    readonly taxRate?: string;
  };
}

/** Inputs of a run. A verification reads the streams up to these revisions and must find the same result. */
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
  /** The usage periods that this run closed; earlier ones are in the account up to its revision. */
  readonly closeIds: readonly Uuid[];
}

/** Billing status of an unsettled term after a run. */
export interface TermBillingStatus {
  readonly subscriptionId: Uuid;
  /** Stream revision of the term that was read: a later change makes it due again. */
  readonly revision: string;
  /** Next instant at which something of this term is billed; null when nothing more will be. */
  readonly nextDueAt: Instant | null;
  /** True if the due date waits for the late-event grace. */
  readonly nextDueGraced: boolean;
  /** Everything is billed and the time for corrections is over: later runs leave it out. */
  readonly settled: boolean;
  /** Add-ons of the term; absent where it has none. `billed`: the add-on was cancelled on its own and owes nothing. */
  readonly addons?: readonly { readonly addonSubscriptionId: Uuid; readonly billed: boolean }[];
}

/** An amount that was drawn from a credit or granted as one; always positive. */
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
  /** The amount to pay. */
  readonly costDue: StoredMoney;
  /** Amounts drawn from credits, in the order of docs/billing.md#credits. */
  readonly drawdowns: readonly CreditAmount[];
  /** Credits without expiry that a negative total grants. */
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

/** An amount that a voided invoice had charged under one charge key and tax rate: it is owed again. */
export interface ChargedAmount {
  readonly chargeKey: string;
  /** Percent; absent where an older event did not say it. */
  readonly taxRate?: string | null;
  readonly base: StoredMoney;
  /** Price adjustments, without tax. */
  readonly adjustments: StoredMoney;
  readonly tax: StoredMoney;
  /** Usage that it counted, exact, once per key: decimal text or `n/d`; "0" for anything else. */
  readonly quantity: string;
}

/** Snapshot of all that was charged under one charge key. */
export interface ChargeSnapshot extends Omit<ChargedAmount, 'quantity' | 'taxRate'> {
  readonly taxRate: string | null;
  readonly close: PeriodCount | null;
  readonly voided: string | null;
  /** Parts by tax rate, the oldest first; absent where there is one part and nothing of it was voided. */
  readonly parts?: readonly (Pick<ChargedAmount, 'base' | 'adjustments' | 'tax'> & {
    readonly taxRate: string | null;
    /** Base of voided invoices, which is charged again with this rate. */
    readonly voided: StoredMoney;
  })[];
}

/** Snapshot of an invoice. */
export interface InvoiceSnapshot {
  readonly invoiceId: Uuid;
  readonly resultHash: string;
  readonly issuedAt: Instant;
  /** Null until it is issued. */
  readonly number: string | null;
  readonly status: 'unpaid' | 'paid' | 'voided';
  /** Still to be paid; 0 when paid or voided. */
  readonly costDue: StoredMoney;
  /** Keys that it charged; empty once it is paid or voided, as only unpaid invoices are reduced. */
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
  /** The terms that it had charged, with the instant at which each is billed again. */
  readonly terms: readonly TermBillingStatus[];
  /** State of settled terms that the account had dropped: sums before this invoice, counts, other unpaid invoices. */
  readonly recalled: {
    readonly charges: readonly ChargeSnapshot[];
    readonly closes: readonly (PeriodCount & { readonly chargeKey: string })[];
    readonly invoices?: readonly InvoiceSnapshot[];
  };
  /** True if it is billed again at once. */
  readonly rebill: boolean;
}

/** A credit that later invoices of the account draw from; free where `purchase` is null. */
export interface CreditGrant {
  readonly creditId: Uuid;
  readonly customerKey: Uuid;
  readonly currency: string;
  readonly amount: StoredMoney;
  /** Not sealed: a text of the engine, or a description that an earlier release stored. */
  readonly description: string | null;
  /** Sealed by the vault: the description of whoever granted it. */
  readonly sealedDescription?: string | null;
  readonly effectiveAt: Instant;
  readonly expiresAt: Instant | null;
  readonly grantedAt: Instant;
  readonly purchase: CreditPurchase | null;
}

/** The price of a credit; its invoice is appended with the grant. */
export interface CreditPurchase {
  readonly invoiceId: Uuid;
  readonly amountPaid: StoredMoney;
  /** The time zone of the invoice's dates. */
  readonly zone: string;
}

/** The object that stands for an invoice at the payment provider. */
export interface ExternalPayment {
  readonly id: string | null;
  readonly type: 'provider_a' | 'provider_b' | null;
  readonly status: string | null;
}
