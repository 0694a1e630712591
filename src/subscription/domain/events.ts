import type { DomainEvent, EventSentences } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { PrepaidUnits, TermBasis } from '../../pricing/price-content.js';

export interface SubscriptionFilter {
  readonly propertyName: string;
  readonly value: string;
}

/** One term of one subscription, half-open. */
export interface Term {
  readonly subscriptionId: Uuid;
  readonly customerKey: Uuid;
  readonly start: Instant;
  readonly end: Instant;
  /** True when the end is a boundary of the schedule, false when somebody set it (docs/contract.md#times). */
  readonly scheduledEnd: boolean;
  readonly autoRenew: boolean;
  /** Flag `is_new` of the request; true after a switch, false after a renewal. */
  readonly isNew: boolean;
  readonly filters: readonly SubscriptionFilter[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Units bought ahead, per prepaid component of the version; absent where it has none. */
  readonly prepaidUnits?: readonly PrepaidUnits[];
  /** In the order in which they were attached; absent where there was none. */
  readonly addons?: readonly TermAddon[];
  readonly basis: TermBasis;
}

/** Why a term began. */
export type TermOrigin =
  | { readonly kind: 'created' }
  | { readonly kind: 'renewal' | 'switch'; readonly predecessor: Uuid; readonly cause: Uuid };

/** An add-on on a term. Billing it needs only its prices besides. */
export interface TermAddon {
  /** Names it for as long as it runs, also when a switch moves it to another term; a renewal gives it another. */
  readonly addonSubscriptionId: Uuid;
  readonly addonId: Uuid;
  readonly addonVersionId: Uuid;
  readonly contentHash: string;
  readonly name: string;
  readonly addonType: 'flat' | 'usage_based';
  readonly billingFrequency: 'one_time' | 'recurring';
  readonly invoiceWhen: 'invoice_on_attach' | 'invoice_on_subscription_end';
  /** Metrics that it counts by. */
  readonly metrics: readonly NamedMetric[];
  /** Multiplies its recurring charges, not its usage. */
  readonly quantity: number;
  readonly metadata: Term['metadata'];
  readonly start: Instant;
  /** True if a renewal carried it over: its first charges wait for the grace, like those of the plan. */
  readonly renewed: boolean;
  /** First day that is not charged yet, if a renewal began it inside a day that the former term charged. */
  readonly daysFrom?: Instant;
  /** Start of its first part in the billing period that a renewal continued it in; absent if it began a period. */
  readonly chargedSince?: Instant;
  /** Start of the subscription before a switch that kept usage separate: its rates look back to it. Absent: that of its term. */
  readonly ownStart?: Instant;
  /** True if the end of its term was moved before a switch. Its advance charges are then computed again at its end. */
  readonly endMoved?: true;
  /** Absent while it runs: then it ends with its term. */
  readonly cancelled?: CancelTerms & { readonly end: Instant; readonly billedAt: Instant };
}

export interface NamedMetric {
  readonly metricId: Uuid;
  readonly metricName: string;
}

/** Settlement of a cancelled term; null: each fee by its own behavior (docs/billing.md#cancellation). */
export interface CancelTerms {
  readonly flatFee: 'refund' | 'charge_prorated' | 'charge_full' | null;
  readonly usage: 'bill_full' | 'bill_none';
  readonly invoicing: 'invoice_now' | 'add_to_next_invoice';
}

/** Treatment of usage and of the price difference at a switch (docs/contract.md#switch-a-plan). */
export interface SwitchTerms {
  readonly usage: 'transfer_to_new_subscription' | 'keep_separate';
  readonly invoicing: 'invoice_now' | 'add_to_next_invoice';
}

/** Mark of a bulk change: one invoice, which follows the bulk change, bills all of its subscriptions. */
export interface BulkMark {
  readonly billedTogether?: true;
}

export type SubscriptionEvent =
  | DomainEvent<'SubscriptionStarted', { readonly term: Term; readonly origin: TermOrigin }>
  /** Decides the renewal at `effectiveAt`, the boundary; the successor stands complete in it. */
  | DomainEvent<
      'SubscriptionRenewed',
      { readonly subscriptionId: Uuid; readonly effectiveAt: Instant; readonly successor: Term }
    >
  | DomainEvent<'SubscriptionEnded', { readonly subscriptionId: Uuid; readonly effectiveAt: Instant }>
  | DomainEvent<'AutoRenewTurnedOff', { readonly subscriptionId: Uuid; readonly effectiveAt: Instant }>
  /** The end was set to another instant, exact even where it is a boundary. */
  | DomainEvent<
      'EndDateChanged',
      {
        readonly subscriptionId: Uuid;
        readonly end: Instant;
        /** End before the change; absent in events of earlier releases. */
        readonly formerEnd?: Instant;
        readonly effectiveAt: Instant;
      }
    >
  /** Sets the prepaid units of a component from `effectiveAt` on (docs/billing.md#prepaid-units). */
  | DomainEvent<
      'PrepaidUnitsChanged',
      PrepaidUnits & {
        readonly subscriptionId: Uuid;
        readonly customerKey: Uuid;
        readonly currency: string;
        readonly unitsBefore: string;
        readonly effectiveAt: Instant;
        /** False: the difference is on the account's next invoice, whatever its cause. */
        readonly invoiceNow: boolean;
      }
    >
  | DomainEvent<'MetadataChanged', { readonly subscriptionId: Uuid; readonly metadata: Term['metadata'] }>
  /** The add-on runs from `addon.start`; charges that are due at once are billed with the event. */
  | DomainEvent<'AddonAttached', AddonEventData & { readonly addon: TermAddon }>
  /** The add-on ends at `end`, and is settled at `billedAt`. */
  | DomainEvent<
      'AddonCancelled',
      AddonEventData &
        CancelTerms & {
          readonly addonSubscriptionId: Uuid;
          readonly addonId: Uuid;
          readonly end: Instant;
          readonly billedAt: Instant;
        }
    >
  /** The term ends at `effectiveAt`, and is settled at `billedAt`. */
  | DomainEvent<
      'SubscriptionCancelled',
      CancelTerms &
        BulkMark & {
          readonly subscriptionId: Uuid;
          readonly customerKey: Uuid;
          readonly currency: string;
          readonly effectiveAt: Instant;
          /** The term's new end: `effectiveAt`, or its start where it had not begun. */
          readonly end: Instant;
          readonly billedAt: Instant;
        }
    >
  /** The term ends, and its successor on another plan version, complete in the event, begins at that instant. */
  | DomainEvent<
      'SubscriptionSwitched',
      SwitchTerms &
        BulkMark & {
          readonly subscriptionId: Uuid;
          readonly customerKey: Uuid;
          readonly currency: string;
          readonly effectiveAt: Instant;
          /** The term's new end: `effectiveAt`, or its start where it had not begun. */
          readonly end: Instant;
          /**
           * Instant at which fees, and usage that is not transferred, are settled; with `keep_separate` usage is settled
           * at `periodEnd`.
           */
          readonly billedAt: Instant;
          /** The former end of the running billing period. */
          readonly periodEnd: Instant;
          /** The metrics whose running windows continue in the successor. */
          readonly moved: readonly Uuid[];
          readonly successor: Term;
        }
    >;

/** The term of an add-on and the account that it is billed on. */
interface AddonEventData {
  readonly subscriptionId: Uuid;
  readonly customerKey: Uuid;
  readonly currency: string;
  readonly effectiveAt: Instant;
}

/** Sentences of the audit log, one per event type. */
export const SUBSCRIPTION_EVENT_SENTENCES: EventSentences<SubscriptionEvent> = {
  AddonAttached: 'An add-on was attached to the subscription.',
  AddonCancelled: 'An add-on of the subscription was cancelled.',
  AutoRenewTurnedOff: 'Automatic renewal was turned off.',
  EndDateChanged: 'The end date of the subscription was changed.',
  MetadataChanged: 'The metadata of the subscription was changed.',
  PrepaidUnitsChanged: 'The prepaid units of the subscription were changed.',
  SubscriptionCancelled: 'The subscription was cancelled.',
  SubscriptionEnded: 'The subscription ended.',
  SubscriptionRenewed: 'The subscription was renewed.',
  SubscriptionStarted: 'The subscription began.',
  SubscriptionSwitched: 'The subscription was switched to another plan version.',
};
