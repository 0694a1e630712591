import type { WebhookEventRow } from '../../src/webhooks/read-models.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const webhookEvents: ReadModelTable<WebhookEventRow> = {
  comment:
    'Events that webhook endpoints can receive, in the order of the log. It contains no personal data.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    event_id: { type: 'uuid not null', comment: 'The event; every delivery of it carries this id' },
    trigger: { type: 'text not null', comment: 'Trigger: invoice.paid …' },
    subject_id: { type: 'uuid not null', comment: 'The customer, subscription or invoice it happened to' },
    commit: { type: 'bigint not null', comment: 'Position in the log' },
    prepare: { type: 'bigint not null', comment: 'Second part of that position' },
    occurred_at: { type: 'timestamptz not null', comment: 'When it was decided, in domain time' },
  },
  key: ['org', 'event_id'],
  indexes: ['(org, commit, prepare)'],
};
