import type { CreateWebhookBody } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Create } from './create.js';

const EVERY_TRIGGER = [
  'customer.created',
  'subscription.created',
  'subscription.renewed',
  'subscription.cancelled',
  'invoice.created',
  'invoice.paid',
  'invoice.past_due',
  'invoice.voided',
  'billing.parked',
  'usage_alert.triggered',
  'audit.checkpoint',
];

/** Body with the triggers as they were typed. */
type TypedWebhook = Omit<CreateWebhookBody, 'triggers'> & { readonly triggers: string };

const triggersOf = (text: string): CreateWebhookBody['triggers'] =>
  text.split(/[\s,]+/).filter(Boolean) as CreateWebhookBody['triggers'];

export const NewWebhook = () => (
  <Create
    label="New endpoint"
    isForAdmins
    fields={() => [
      { name: 'name', label: 'Name', isRequired: true },
      { name: 'webhook_url', label: 'Address', hint: 'Begins with https://.', isRequired: true },
      {
        name: 'triggers',
        label: 'Events',
        hint: `Any of ${EVERY_TRIGGER.join(', ')}.`,
        isRequired: true,
      },
    ]}
    initial={{ triggers: 'invoice.created, invoice.paid, invoice.voided' }}
    create={({ triggers, ...body }: TypedWebhook, options) =>
      recount.createWebhook({ ...body, triggers: triggersOf(triggers) }, options)
    }
    made={({ name, webhook_secret: secret }) => (
      <p>
        {name} gets the events from now on. Its deliveries are signed with this secret, which is shown once:{' '}
        <code>{secret}</code>
      </p>
    )}
  />
);
