import type { AccountEvent } from '../../src/billing/accounts/domain/events.js';
import type { CustomerEvent } from '../../src/customer/domain/events.js';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { SubscriptionEvent } from '../../src/subscription/domain/events.js';
import type { Trigger } from '../../src/webhooks/domain/triggers.js';
import type { WebhookEventRow } from '../../src/webhooks/read-models.js';
import { put, type Projection, type RowChange } from '../runtime/projection.js';
import { webhookEvents } from './schema.js';

type Watched = AccountEvent | CustomerEvent | SubscriptionEvent;
type Data<Type extends Watched['type']> = Extract<Watched, { type: Type }>['data'];

/** Every type is named: the compiler asks of each new one whether somebody wants to be told of it. */
type Handlers = {
  readonly [Type in Watched['type']]:
    'ignore' | ((event: RecordedEvent<DomainEvent<Type, Data<Type>>>) => readonly RowChange[]);
};

const handlers: Handlers = {
  CustomerRegistered: (event) => told(event, 'customer.created', event.data.customerKey),
  SubscriptionStarted: (event) =>
    event.data.origin.kind === 'renewal'
      ? []
      : told(event, 'subscription.created', event.data.term.subscriptionId),
  SubscriptionRenewed: (event) => told(event, 'subscription.renewed', event.data.successor.subscriptionId),
  SubscriptionCancelled: (event) => told(event, 'subscription.cancelled', event.data.subscriptionId),
  InvoiceIssued: (event) => told(event, 'invoice.created', event.data.invoiceId),
  InvoicePaid: (event) => told(event, 'invoice.paid', event.data.invoiceId),
  InvoiceVoided: (event) => told(event, 'invoice.voided', event.data.invoiceId),
  InvoicePastDue: (event) => told(event, 'invoice.past_due', event.data.invoiceId),
  CustomerDetailsChanged: 'ignore',
  CustomerDeleted: 'ignore',
  CustomerErased: 'ignore',
  BulkChangeAccepted: 'ignore',
  SubscriptionEnded: 'ignore',
  // The new subscription is told of when it begins.
  SubscriptionSwitched: 'ignore',
  AutoRenewTurnedOff: 'ignore',
  EndDateChanged: 'ignore',
  MetadataChanged: 'ignore',
  AddonAttached: 'ignore',
  AddonCancelled: 'ignore',
  PrepaidUnitsChanged: 'ignore',
  UsagePeriodClosed: 'ignore',
  InvoiceComputed: 'ignore',
  NothingDue: 'ignore',
  PaymentLinked: 'ignore',
  AccountCarriedForward: 'ignore',
  CreditGranted: 'ignore',
  CreditDescriptionChanged: 'ignore',
  CreditExpiryChanged: 'ignore',
  CreditVoided: 'ignore',
};

/** What webhook endpoints may be told of; sending is another loop (src/webhooks). */
export const webhooksProjection: Projection = {
  name: 'webhooks',
  version: 1,
  tables: { webhook_events: webhookEvents },
  categories: ['customer', 'subscription', 'account'],
  on: handlers as Projection['on'],
};

/** Once per event, so that the events of a log that is read again are the same ones. */
function told(event: RecordedEvent, trigger: Trigger, subject: Uuid): readonly RowChange[] {
  const { org, recordedAt } = event.metadata;
  const key = { org, event_id: event.id };
  const { commit, prepare } = event.position;
  return [
    put<WebhookEventRow>('webhook_events', key, {
      trigger,
      subject_id: subject,
      commit: commit.toString(),
      prepare: prepare.toString(),
      occurred_at: recordedAt,
      ...key,
    }),
  ];
}
