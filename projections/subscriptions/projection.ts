import type { AccountEvent, TermStanding } from '../../src/billing/domain/events.js';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event.js';
import type { SubscriptionEvent, Term } from '../../src/subscription/domain/events.js';
import { change, type Projection, type RowChange } from '../runtime/projection.js';
import { subscriptions, type SubscriptionRow } from './schema.js';

type Of<Union extends DomainEvent, Type extends Union['type']> = RecordedEvent<
  Extract<Union, { type: Type }>
>;

/** One row per term. A successor shows from the event that decides the renewal, so that access has no gap. */
export const subscriptionsProjection: Projection = {
  name: 'subscriptions',
  version: 2,
  tables: { subscriptions },
  categories: ['subscription', 'account'],
  on: {
    SubscriptionStarted: (event: Of<SubscriptionEvent, 'SubscriptionStarted'>) => {
      const { term, origin } = event.data;
      const predecessor = origin.kind === 'renewal' ? origin.predecessor : null;
      return [
        ofTerm(event, term.subscriptionId, (row) => ({
          ...(row ?? begun(event.metadata.org, term, predecessor)),
          stream_revision: event.revision.toString(),
        })),
      ];
    },
    SubscriptionRenewed: (event: Of<SubscriptionEvent, 'SubscriptionRenewed'>) => {
      const { subscriptionId, successor } = event.data;
      const key = { org: event.metadata.org, subscription_id: successor.subscriptionId };
      return [
        closed(event, 'renewed', successor.subscriptionId),
        change<SubscriptionRow>(
          'subscriptions',
          key,
          (row) => row ?? begun(event.metadata.org, successor, subscriptionId),
        ),
      ];
    },
    SubscriptionEnded: (event: Of<SubscriptionEvent, 'SubscriptionEnded'>) => [closed(event, 'ended', null)],
    AutoRenewTurnedOff: (event: Of<SubscriptionEvent, 'AutoRenewTurnedOff'>) => [
      changed(event, { auto_renew: false }),
    ],
    EndDateChanged: (event: Of<SubscriptionEvent, 'EndDateChanged'>) => [
      changed(event, { end_at: event.data.end, scheduled_end: false, nothing_more_due: false }),
    ],
    MetadataChanged: (event: Of<SubscriptionEvent, 'MetadataChanged'>) => [
      changed(event, { metadata: event.data.metadata }),
    ],
    SubscriptionCancelled: (event: Of<SubscriptionEvent, 'SubscriptionCancelled'>) => [
      changed(event, {
        end_at: event.data.end,
        scheduled_end: false,
        auto_renew: false,
        state: 'ended',
        nothing_more_due: false,
      }),
    ],
    InvoiceComputed: (event: Of<AccountEvent, 'InvoiceComputed'>) => standings(event, event.data.terms),
    InvoiceVoided: (event: Of<AccountEvent, 'InvoiceVoided'>) => standings(event, event.data.terms),
    NothingDue: (event: Of<AccountEvent, 'NothingDue'>) => standings(event, event.data.terms),
    UsagePeriodClosed: 'ignore',
    InvoiceIssued: 'ignore',
    InvoicePaid: 'ignore',
    PaymentLinked: 'ignore',
    CreditGranted: 'ignore',
    CreditDescriptionChanged: 'ignore',
    CreditExpiryChanged: 'ignore',
    CreditVoided: 'ignore',
  },
};

const begun = (org: string, term: Term, predecessor: string | null): SubscriptionRow => ({
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
  predecessor,
  successor: null,
  nothing_more_due: false,
  stream_revision: null,
});

const closed = (
  event: Of<SubscriptionEvent, 'SubscriptionRenewed' | 'SubscriptionEnded'>,
  state: 'renewed' | 'ended',
  successor: string | null,
): RowChange => changed(event, { state, successor, nothing_more_due: false });

const changed = (
  event: RecordedEvent<{ type: string; data: { subscriptionId: string } }>,
  changes: Partial<SubscriptionRow>,
): RowChange =>
  ofTerm(
    event,
    event.data.subscriptionId,
    (row) => row && { ...row, ...changes, stream_revision: event.revision.toString() },
  );

/** A change by an event of the term's own stream, made once. */
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

/** What a run found of each term, unless the term has changed since the run read it. */
const standings = (event: RecordedEvent, terms: readonly TermStanding[]): RowChange[] =>
  terms.map((standing) =>
    change<SubscriptionRow>(
      'subscriptions',
      { org: event.metadata.org, subscription_id: standing.subscriptionId },
      (row) =>
        row && revisionOf(row) <= BigInt(standing.revision)
          ? { ...row, nothing_more_due: standing.nextDueAt === null }
          : row,
    ),
  );

const revisionOf = ({ stream_revision: revision }: SubscriptionRow): bigint => BigInt(revision ?? -1);
