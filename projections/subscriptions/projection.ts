import type { TermBillingStatus } from '../../src/billing/accounts/domain/event-data.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Term, TermAddon } from '../../src/subscription/domain/events.js';
import { addonsOf } from '../../src/subscription/domain/term-periods.js';
import type { SubscriptionAddonRow, SubscriptionRow } from '../../src/subscription/read-models.js';
import { defineProjection, type EventOf } from '../events.js';
import { change, type RowChange } from '../runtime/projection.js';
import { subscriptionAddons, subscriptions } from './tables.js';

/** One row per term. The event that decides a renewal inserts the successor, so that access has no gap. */
export const subscriptionsProjection = defineProjection({
  name: 'subscriptions',
  version: 7,
  tables: { subscriptions, subscription_addons: subscriptionAddons },
  on: {
    SubscriptionStarted: (event) => {
      const { term, origin } = event.data;
      const predecessor = origin.kind === 'created' ? null : origin.predecessor;
      return [
        ofTerm(event, term.subscriptionId, (row) => ({
          ...(row ?? insertedTerm(event.metadata.org, term, predecessor)),
          stream_revision: event.revision.toString(),
        })),
      ];
    },
    SubscriptionRenewed: (event) => {
      const { successor } = event.data;
      return [closed(event, 'renewed', successor.subscriptionId), ...followed(event)];
    },
    AddonAttached: (event) => [
      changed(event, { nothing_more_due: false }),
      attached(event, event.data.subscriptionId, event.data.customerKey, event.data.addon),
    ],
    AddonCancelled: (event) => [
      changed(event, { nothing_more_due: false }),
      change<SubscriptionAddonRow>(
        'subscription_addons',
        { org: event.metadata.org, addon_subscription_id: event.data.addonSubscriptionId },
        (row) => row && { ...row, cancelled_at: event.data.end },
      ),
    ],
    SubscriptionEnded: (event) => [closed(event, 'ended', null)],
    AutoRenewTurnedOff: (event) => [changed(event, { auto_renew: false })],
    EndDateChanged: (event) => [
      changed(event, { end_at: event.data.end, scheduled_end: false, nothing_more_due: false }),
    ],
    PrepaidUnitsChanged: (event) => {
      const { subscriptionId, metricId, units } = event.data;
      return [
        ofTerm(
          event,
          subscriptionId,
          (row) =>
            row && {
              ...row,
              prepaid_units: row.prepaid_units.map((known) =>
                known.metricId === metricId ? { metricId, units } : known,
              ),
              nothing_more_due: false,
              stream_revision: event.revision.toString(),
            },
        ),
      ];
    },
    MetadataChanged: (event) => [changed(event, { metadata: event.data.metadata })],
    SubscriptionCancelled: (event) => [
      changed(event, {
        end_at: event.data.end,
        scheduled_end: false,
        auto_renew: false,
        state: 'ended',
        nothing_more_due: false,
      }),
    ],
    SubscriptionSwitched: (event) => [
      changed(event, {
        end_at: event.data.end,
        scheduled_end: false,
        auto_renew: false,
        state: 'switched',
        successor: event.data.successor.subscriptionId,
        nothing_more_due: false,
      }),
      ...followed(event),
    ],
    InvoiceComputed: (event) => billingStatuses(event, event.data.terms),
    InvoiceVoided: (event) => billingStatuses(event, event.data.terms),
    NothingDue: (event) => billingStatuses(event, event.data.terms),
  },
});

const insertedTerm = (org: string, term: Term, predecessor: string | null): SubscriptionRow => ({
  org,
  subscription_id: term.subscriptionId,
  customer_key: term.customerKey,
  plan_id: term.basis.planId,
  version_id: term.basis.versionId,
  currency: term.basis.currency,
  basis: term.basis,
  start_at: term.start,
  end_at: term.end,
  scheduled_end: term.scheduledEnd,
  auto_renew: term.autoRenew,
  is_new: term.isNew,
  state: 'open',
  filters: term.filters,
  metadata: term.metadata,
  prepaid_units: term.prepaidUnits ?? [],
  predecessor,
  successor: null,
  nothing_more_due: false,
  stream_revision: null,
});

/** Inserts the successor with its add-ons before its own stream begins. */
const followed = (event: EventOf<'SubscriptionRenewed' | 'SubscriptionSwitched'>): RowChange[] => {
  const { org } = event.metadata;
  const { subscriptionId: predecessor, successor } = event.data;
  const { subscriptionId, customerKey } = successor;
  return [
    change<SubscriptionRow>(
      'subscriptions',
      { org, subscription_id: subscriptionId },
      (row) => row ?? insertedTerm(org, successor, predecessor),
    ),
    ...addonsOf(successor).map((addon) => attached(event, subscriptionId, customerKey, addon)),
  ];
};

/** Closes a term at its end. What it owes depends on the end alone, so the status that a run has found stays. */
const closed = (
  event: EventOf<'SubscriptionRenewed' | 'SubscriptionEnded'>,
  state: 'renewed' | 'ended',
  successor: string | null,
): RowChange => changed(event, { state, successor });

const changed = (
  event: RecordedEvent<{ type: string; data: { subscriptionId: string } }>,
  changes: Partial<SubscriptionRow>,
): RowChange =>
  ofTerm(
    event,
    event.data.subscriptionId,
    (row) => row && { ...row, ...changes, stream_revision: event.revision.toString() },
  );

/**
 * Inserts an add-on of a term: newly attached, carried over by a renewal under another id, or moved unchanged
 * by a switch.
 */
const attached = (
  { metadata: { org } }: RecordedEvent,
  subscriptionId: string,
  customerKey: string,
  addon: TermAddon,
): RowChange => {
  const key = { org, addon_subscription_id: addon.addonSubscriptionId };
  return change<SubscriptionAddonRow>('subscription_addons', key, (row) => ({
    ...(row ?? addonRow(org, customerKey, addon)),
    subscription_id: subscriptionId,
  }));
};

const addonRow = (org: string, customerKey: string, addon: TermAddon) => ({
  org,
  addon_subscription_id: addon.addonSubscriptionId,
  customer_key: customerKey,
  addon_id: addon.addonId,
  addon_version_id: addon.addonVersionId,
  addon_name: addon.name,
  addon_type: addon.addonType,
  billing_frequency: addon.billingFrequency,
  invoice_when: addon.invoiceWhen,
  quantity: addon.quantity,
  metadata: addon.metadata,
  start_at: addon.start,
  cancelled_at: null,
  billed: false,
});

/** Changes a term by an event of its own stream. */
const ofTerm = (
  event: RecordedEvent,
  subscriptionId: string,
  next: (row: SubscriptionRow | undefined) => SubscriptionRow | undefined,
): RowChange =>
  change<SubscriptionRow>(
    'subscriptions',
    { org: event.metadata.org, subscription_id: subscriptionId },
    (row) => (row && revisionOf(row) >= event.revision ? row : next(row)),
  );

/**
 * Records the status that a run found for each term. A term that changed since the run read it keeps its
 * status.
 */
const billingStatuses = (event: RecordedEvent, terms: readonly TermBillingStatus[]): RowChange[] => {
  const { org } = event.metadata;
  return terms.flatMap((status) => [
    change<SubscriptionRow>('subscriptions', { org, subscription_id: status.subscriptionId }, (row) =>
      row && revisionOf(row) <= BigInt(status.revision)
        ? { ...row, nothing_more_due: status.nextDueAt === null }
        : row,
    ),
    // A run sets `billed` of an add-on that was cancelled on its own, and a void of its invoice resets it.
    ...(status.addons ?? []).map(({ addonSubscriptionId, billed }) =>
      change<SubscriptionAddonRow>(
        'subscription_addons',
        { org, addon_subscription_id: addonSubscriptionId },
        (row) => (row && row.billed !== billed ? { ...row, billed } : row),
      ),
    ),
  ]);
};

const revisionOf = ({ stream_revision: revision }: SubscriptionRow): bigint => BigInt(revision ?? -1);
