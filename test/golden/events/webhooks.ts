import type { WebhookEvent } from '../../../src/webhooks/domain/events.js';
import type { Shapes } from './shapes.js';

export const webhookShapes = {
  WebhookEndpointCreated: {
    endpointId: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6c01',
    name: 'Books',
    triggers: ['invoice.created', 'invoice.paid'],
    origin: 'https://hooks.example.com',
    digest: 'a'.repeat(64),
    takenIn: true,
  },
  WebhookEndpointRemoved: { endpointId: '5f0c1b7e-1d7b-5c54-9d0b-3b1d3f0f6c01' },
} satisfies Shapes<WebhookEvent>;
