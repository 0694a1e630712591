import type { CreateWebhookBody } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Create } from './create.js';

/** Compared by the compiler with the triggers of the API: none is missing, and none is more. */
const TRIGGERS: Readonly<Record<CreateWebhookBody['triggers'][number], true>> = {
  'customer.created': true,
  'subscription.created': true,
  'subscription.renewed': true,
  'subscription.cancelled': true,
  'invoice.created': true,
  'invoice.paid': true,
  'invoice.past_due': true,
  'invoice.voided': true,
  'billing.parked': true,
  'usage_alert.triggered': true,
  'audit.checkpoint': true,
};

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
        hint: `Any of ${Object.keys(TRIGGERS).join(', ')}.`,
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
