import type { AuditEntryRow, SubjectKind } from '../../src/audit/read-models.js';
import { type RecordedEvent, categoryOf, entityOf, type StreamCategory } from '../../src/kernel/event.js';
import { defineProjectionOfAll } from '../events.js';
import { put, type RowChange } from '../runtime/projection.js';
import { auditEntries } from './tables.js';

/**
 * Read model of the audit log: one row per event, which never changes
 * (docs/adr/0063-the-audit-log-is-a-read-model.md).
 */
export const auditProjection = defineProjectionOfAll({
  name: 'audit',
  version: 1,
  tables: { audit_entries: auditEntries },
  onEach: entryOf,
});

function entryOf(event: RecordedEvent): readonly RowChange[] {
  const { org, actor, commandId, correlationId, recordedAt } = event.metadata;
  const { commit, prepare } = event.position;
  const key = { org, commit: commit.toString(), prepare: prepare.toString() };
  return [
    put<AuditEntryRow>('audit_entries', key, {
      ...key,
      event_id: event.id,
      type: event.type,
      stream: event.stream,
      stream_revision: event.revision.toString(),
      ...subjectOf(event),
      actor,
      command_id: commandId,
      request_id: correlationId,
      recorded_at: recordedAt,
      ...changesOf(event),
    }),
  ];
}

const SUBJECT_KIND: { readonly [Category in StreamCategory]: SubjectKind } = {
  account: 'account',
  addon: 'addon',
  bulkchange: 'customer',
  customer: 'customer',
  document: 'invoice',
  feature: 'feature',
  metric: 'metric',
  numberseries: 'number_series',
  organization: 'organization',
  plan: 'plan',
  subscription: 'subscription',
};

/** Fields of event data that name the subject and its customer. */
interface Named {
  readonly invoiceId?: string;
  readonly creditId?: string;
  readonly keyId?: string;
  readonly alertId?: string;
  readonly endpointId?: string;
  readonly customerKey?: string | null;
  readonly term?: { readonly customerKey: string };
}

type Subject = Pick<AuditEntryRow, 'subject_kind' | 'subject_id' | 'customer_key'>;

function subjectOf({ stream, metadata: { org }, data }: RecordedEvent): Subject {
  const category = categoryOf(stream) as StreamCategory;
  const entity = entityOf(stream);
  const kind = SUBJECT_KIND[category];
  const { invoiceId, creditId, keyId, alertId, endpointId, customerKey = null, term } = data as Named;
  switch (category) {
    case 'account': {
      const customer_key = entity.slice(0, entity.indexOf('.'));
      if (creditId !== undefined) return { subject_kind: 'credit', subject_id: creditId, customer_key };
      if (invoiceId !== undefined) return { subject_kind: 'invoice', subject_id: invoiceId, customer_key };
      return { subject_kind: kind, subject_id: entity, customer_key };
    }
    case 'customer':
    case 'bulkchange':
      return { subject_kind: kind, subject_id: entity, customer_key: entity };
    case 'document':
    case 'subscription':
      return {
        subject_kind: kind,
        subject_id: entity,
        customer_key: customerKey ?? term?.customerKey ?? null,
      };
    case 'organization':
      if (keyId !== undefined) return { subject_kind: 'api_key', subject_id: keyId, customer_key: null };
      if (alertId !== undefined)
        return { subject_kind: 'usage_alert', subject_id: alertId, customer_key: customerKey };
      if (endpointId !== undefined)
        return { subject_kind: 'webhook', subject_id: endpointId, customer_key: null };
      return { subject_kind: kind, subject_id: org, customer_key: null };
    default:
      return { subject_kind: kind, subject_id: entity, customer_key: null };
  }
}

/** Limits of the data in a row, in characters of JSON: of one part, and of all parts together. */
const LONGEST_PART = 1_000;
const LONGEST = 4_000;

/** Sealed texts. Descriptions of credits from earlier releases are personal, but not sealed. */
const isPersonal = (type: string, name: string): boolean =>
  name === 'sealed' || name === 'sealedDescription' || (name === 'description' && type.startsWith('Credit'));

function changesOf({ type, data }: RecordedEvent): Pick<AuditEntryRow, 'changes' | 'left_out'> {
  const changes: Record<string, unknown> = {};
  const left_out: string[] = [];
  let length = 0;
  for (const [name, value] of Object.entries(data)) {
    const size = isShort(value) ? 32 : (JSON.stringify(value) ?? '').length;
    if (isPersonal(type, name) || size > LONGEST_PART || length + size > LONGEST) left_out.push(name);
    else {
      changes[name] = value as unknown;
      length += size;
    }
  }
  return { changes, left_out };
}

const isShort = (value: unknown): boolean =>
  value === null || (typeof value === 'string' ? value.length <= 40 : typeof value !== 'object');
