import type { DomainEvent, EventSentences } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Trigger } from './triggers.js';

/** A webhook endpoint without its secret, and without the path of its URL, which may hold a token. */
export interface RecordedEndpoint {
  readonly endpointId: Uuid;
  readonly name: string;
  readonly triggers: readonly Trigger[];
  /** Scheme, host and port of its URL. */
  readonly origin: string;
  /** Keyed hash of URL and secret, which reveals an exchange of them in the table. */
  readonly digest: string;
}

export type WebhookEvent =
  | DomainEvent<
      'WebhookEndpointCreated',
      RecordedEndpoint & {
        /** The endpoint is older than this event. */
        readonly takenIn?: true;
      }
    >
  | DomainEvent<'WebhookEndpointRemoved', { readonly endpointId: Uuid }>;

/** Sentences of the audit log, one per event type. */
export const WEBHOOK_EVENT_SENTENCES: EventSentences<WebhookEvent> = {
  WebhookEndpointCreated: 'The webhook endpoint was created.',
  WebhookEndpointRemoved: 'The webhook endpoint was removed.',
};
