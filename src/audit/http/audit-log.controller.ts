import {
  freeForm,
  integer,
  listOf,
  named,
  nullable,
  object,
  oneOf,
  type WireOf,
  text,
} from '../../platform/http/openapi/schema.js';
import { dateTime } from '../../platform/http/openapi/values.js';
import { SUBSCRIPTION_FILTER } from '../../subscription/filter-schema.js';
import { SUBJECT_KINDS, type SubjectKind } from '../read-models.js';
import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { customerKeyOf, fromWireId, type IdKind, toWireId } from '../../kernel/ids.js';
import { formatInstant } from '../../kernel/instant.js';
import { Caller } from '../../platform/http/auth/caller.js';
import { Operation } from '../../platform/http/openapi/operation.js';
import { Page, type QueryParams, RawQuery } from '../../platform/http/query/query-params.js';
import { eventSummaryOf } from '../queries/event-summaries.js';
import { AUDIT_ORDERINGS, type AuditEntry, ListAuditLog } from '../queries/list-audit-log.js';

const AUDIT_ENTRY = named(
  'AuditLogEntry',
  object({
    position: text(),
    event_id: text({ format: 'uuid' }),
    recorded_at: dateTime(),
    event_type: text(),
    summary: text(),
    subject: object({ kind: oneOf(SUBJECT_KINDS), id: text() }),
    customer_key: nullable(text({ format: 'uuid' })),
    stream: text(),
    revision: integer({ minimum: 0 }),
    actor: text(),
    actor_name: nullable(text()),
    names: object({
      customer_id: nullable(text()),
      plan_name: nullable(text()),
      subscription_filters: listOf(SUBSCRIPTION_FILTER),
      addon_name: nullable(text()),
      metric_name: nullable(text()),
    }),
    request_id: text(),
    command_id: text({ format: 'uuid' }),
    changes: freeForm(),
    left_out: listOf(text()),
    proof: text(),
  }),
);

const LOG = {
  subjectKind: (q: QueryParams) => q.choice('subject_kind', SUBJECT_KINDS),
  subjectId: (q: QueryParams) => {
    const id = q.one('subject_id');
    if (id !== undefined) q.required('subject_kind', q.one('subject_kind'));
    return id;
  },
  customerId: (q: QueryParams) => q.reference('customer_id', 'customer'),
  actor: (q: QueryParams) => q.one('actor'),
  type: (q: QueryParams) => q.one('event_type'),
  from: (q: QueryParams) => q.instant('from'),
  to: (q: QueryParams) => q.instant('to'),
  ordering: (q: QueryParams) => q.choice('ordering', AUDIT_ORDERINGS),
  page: (q: QueryParams) => q.page({ default: 100, max: 1000 }),
};

/** Audit log of the organization (docs/contract.md#audit-log). */
@Controller('api/audit/log')
export class AuditLogController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation({
    summary:
      'Lists every event of the organization: who did what, when, by which key and request, the newest first or as you order them.',
    answer: listOf(AUDIT_ENTRY),
    query: LOG,
  })
  async listAuditLog(@Caller() { org }: Caller, @RawQuery() query: QueryParams) {
    const { page, ordering, customerId, subjectKind, subjectId, ...rest } = query.read(LOG);
    const filter = {
      ...rest,
      subjectKind,
      subjectId: subjectKind && subjectId && idWithin(subjectKind, subjectId),
      customerKey: customerId === undefined ? undefined : customerKeyOf(org, customerId),
    };
    const { entries, nextCursor } = await this.queries.execute(
      new ListAuditLog(org, filter, { ...page, ordering }),
    );
    return new Page(entries.map(present), nextCursor);
  }
}

/** Kinds of subjects with ids of the contract; the others have the ids of their streams. */
const WIRE_KINDS: { readonly [Kind in SubjectKind]?: IdKind } = {
  organization: 'org',
  plan: 'plan',
  addon: 'addon',
  metric: 'metric',
  feature: 'feature',
  subscription: 'sub',
  invoice: 'invoice',
  credit: 'credit',
  usage_alert: 'usage_alert',
  webhook: 'webhook',
};

function idWithin(kind: SubjectKind, id: string): string {
  const wire = WIRE_KINDS[kind];
  return (wire && fromWireId(wire, id)) ?? id;
}

function idOnWire(kind: SubjectKind, id: string): string {
  const wire = WIRE_KINDS[kind];
  return wire ? toWireId(wire, id) : id;
}

const present = (entry: AuditEntry): WireOf<typeof AUDIT_ENTRY> => ({
  position: entry.logPosition,
  event_id: entry.event_id,
  recorded_at: formatInstant(entry.recorded_at),
  event_type: entry.type,
  summary: eventSummaryOf(entry.type),
  subject: { kind: entry.subject_kind, id: idOnWire(entry.subject_kind, entry.subject_id) },
  customer_key: entry.customer_key,
  stream: entry.stream,
  revision: Number(entry.stream_revision),
  actor: entry.actor,
  actor_name: entry.actorName,
  names: {
    customer_id: entry.names.customerId,
    plan_name: entry.names.plan,
    subscription_filters: entry.names.filters.map(({ propertyName, value }) => ({
      property_name: propertyName,
      value,
    })),
    addon_name: entry.names.addon,
    metric_name: entry.names.metric,
  },
  request_id: entry.request_id,
  command_id: entry.command_id,
  changes: entry.changes as Readonly<Record<string, unknown>>,
  left_out: entry.left_out,
  proof: `/api/audit/proofs/?stream=${encodeURIComponent(entry.stream)}&revision=${entry.stream_revision}`,
});
