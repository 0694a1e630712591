import {
  integer,
  listOf,
  named,
  nullable,
  object,
  oneOf,
  secret,
  text,
} from '../../platform/http/openapi/schema.js';
import { dateTime } from '../../platform/http/openapi/values.js';
import { TRIGGERS } from '../domain/triggers.js';

const FIELDS = {
  webhook_endpoint_id: text(),
  name: text(),
  webhook_url: text(),
  triggers: listOf(oneOf(TRIGGERS)),
  created_at: dateTime(),
};

export const WEBHOOK = named('Webhook', object(FIELDS));

/** The secret is shown once; the recorded answer to a repeat has null. */
export const NEW_WEBHOOK = named('NewWebhook', object({ ...FIELDS, webhook_secret: nullable(secret()) }));

export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const;

export const DELIVERY = named(
  'WebhookDelivery',
  object({
    event_id: text(),
    trigger: oneOf(TRIGGERS),
    position: text({
      description: 'Where the event stands in the log, opaque; `after_position` of a replay.',
    }),
    status: oneOf(DELIVERY_STATUSES),
    attempts: integer(),
    first_attempt_at: nullable(dateTime()),
    next_attempt_at: nullable(dateTime()),
    delivered_at: nullable(dateTime()),
    last_status: nullable(integer()),
    last_error: nullable(text()),
  }),
);

export const REPLAYED = object({ replayed: integer() });
