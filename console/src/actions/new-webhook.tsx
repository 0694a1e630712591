import { WEBHOOK_TRIGGERS, type CreateWebhookBody } from '../../../clients/typescript/src/index.js';
import { recount } from '../api/client.js';
import { Create } from './create.js';
import { listOf } from './form-field.js';

export const NewWebhook = () => (
  <Create
    label="New endpoint"
    isForAdmins
    fields={() => [
      { name: 'name', label: 'Name', isRequired: true },
      { name: 'webhook_url', label: 'URL', hint: 'Starts with https://.', isRequired: true },
      {
        name: 'triggers',
        label: 'Events',
        options: WEBHOOK_TRIGGERS,
        isMany: true,
        parse: listOf,
      },
    ]}
    initial={{ triggers: 'invoice.created, invoice.paid, invoice.voided' }}
    create={(body: CreateWebhookBody, options) => recount.createWebhook(body, options)}
    made={({ name, webhook_secret: secret }) => (
      <p>
        {name} receives events from now on. Deliveries are signed with this secret. Copy it now, it is not
        shown again: <code>{secret}</code>
      </p>
    )}
  />
);
