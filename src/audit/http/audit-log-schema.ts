import {
  freeForm,
  integer,
  listOf,
  named,
  nullable,
  object,
  oneOf,
  text,
} from '../../platform/http/openapi/schema.js';
import { instant } from '../../platform/http/openapi/values.js';
import { SUBJECT_KINDS } from '../read-models.js';

export const AUDIT_ENTRY = named(
  'AuditLogEntry',
  object({
    position: text(),
    event_id: text({ format: 'uuid' }),
    recorded_at: instant(),
    event_type: text(),
    summary: text(),
    subject: object({ kind: oneOf(SUBJECT_KINDS), id: text() }),
    customer_key: nullable(text({ format: 'uuid' })),
    stream: text(),
    revision: integer({ minimum: 0 }),
    actor: text(),
    actor_name: nullable(text()),
    request_id: text(),
    command_id: text({ format: 'uuid' }),
    changes: freeForm(),
    left_out: listOf(text()),
    proof: text(),
  }),
);
