import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { enqueueMissed } from '../../src/webhooks/missed-events.js';
import type { Trigger } from '../../src/webhooks/domain/triggers.js';
import type { WebhookEventRow } from '../../src/webhooks/read-models.js';
import { defineProjection } from '../events.js';
import { type Projection, put, type RowChange } from '../runtime/projection.js';
import { webhookEvents } from './tables.js';

const ROWS = defineProjection({
  name: 'webhooks',
  version: 1,
  tables: { webhook_events: webhookEvents },
  on: {
    CustomerRegistered: (event) => webhookEvent(event, 'customer.created', event.data.customerKey),
    SubscriptionStarted: (event) =>
      event.data.origin.kind === 'renewal'
        ? []
        : webhookEvent(event, 'subscription.created', event.data.term.subscriptionId),
    SubscriptionRenewed: (event) =>
      webhookEvent(event, 'subscription.renewed', event.data.successor.subscriptionId),
    SubscriptionCancelled: (event) =>
      webhookEvent(event, 'subscription.cancelled', event.data.subscriptionId),
    InvoiceIssued: (event) => webhookEvent(event, 'invoice.created', event.data.invoiceId),
    InvoicePaid: (event) => webhookEvent(event, 'invoice.paid', event.data.invoiceId),
    InvoiceVoided: (event) => webhookEvent(event, 'invoice.voided', event.data.invoiceId),
    InvoicePastDue: (event) => webhookEvent(event, 'invoice.past_due', event.data.invoiceId),
  },
});

/** Read model of the events that webhook endpoints can receive; another loop sends them (src/webhooks). */
export const webhooksProjection: Projection = { ...ROWS, missed: enqueueMissed };

/** Derives the id from the event, so that a second read of the log yields the same rows. */
function webhookEvent(event: RecordedEvent, trigger: Trigger, subject: Uuid): readonly RowChange[] {
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
