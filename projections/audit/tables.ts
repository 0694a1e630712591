import type { AuditEntryRow } from '../../src/audit/read-models.js';
import type { ReadModelTable } from '../runtime/projection.js';

export const auditEntries: ReadModelTable<AuditEntryRow> = {
  comment:
    'The audit log: every event of the log, one row each, in the order of commit and prepare. Personal data is left out.',
  columns: {
    org: { type: 'uuid not null', comment: 'Organization' },
    commit: { type: 'bigint not null', comment: 'Position in the log' },
    prepare: { type: 'bigint not null', comment: 'Second part of that position' },
    event_id: { type: 'uuid not null', comment: 'The event' },
    type: { type: 'text not null', comment: 'Type of the event: CustomerRegistered …' },
    stream: { type: 'text not null', comment: 'Stream that the event is in' },
    stream_revision: { type: 'bigint not null', comment: 'Its revision in the stream' },
    subject_kind: { type: 'text not null', comment: 'Kind of thing it happened to: plan, invoice …' },
    subject_id: { type: 'text not null', comment: 'Id of that thing, without prefix' },
    customer_key: {
      type: 'uuid',
      comment: 'The customer, where the event names one; of a subscription its row in subscriptions does',
    },
    actor: { type: 'text not null', comment: 'Id of the API key of the caller; system or cli' },
    command_id: { type: 'uuid not null', comment: 'The command that caused it' },
    request_id: { type: 'text not null', comment: 'X-Request-Id of the request that caused it' },
    recorded_at: { type: 'timestamptz not null', comment: 'When it was decided, by the domain clock' },
    changes: {
      type: 'jsonb not null',
      comment: 'Data of the event without sealed texts and without parts of more than 1,000 characters',
    },
    left_out: { type: 'jsonb not null', comment: 'Array of the names of those parts' },
  },
  key: ['org', 'commit', 'prepare'],
  indexes: [
    '(org, subject_kind, subject_id, commit, prepare)',
    '(org, subject_kind, commit, prepare)',
    '(org, customer_key, commit, prepare)',
    '(org, actor, commit, prepare)',
    '(org, type, commit, prepare)',
    '(org, recorded_at)',
  ],
};
