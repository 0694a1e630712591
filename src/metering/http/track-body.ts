import type { FieldErrorCode } from '../../kernel/errors.js';
import { InvalidRequest } from '../../platform/http/problems/problem.js';

export const MOST_EVENTS = 1_000;
const FIELDS_OF_AN_EVENT = ['event_name', 'customer_id', 'idempotency_id', 'time_created', 'properties'];

/**
 * The entries of `{batch: [event]}`, or the one event that the body is. What the entries hold is judged one by one
 * later; here only a body that is neither is refused. @throws InvalidRequest
 */
export function entriesOf(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw wrong('invalid', 'non_field_errors', 'Send {"batch": [event, …]} or one event, as a JSON object.');
  }
  const { batch } = body as { readonly batch?: unknown };
  if (batch === undefined || batch === null) {
    if (FIELDS_OF_AN_EVENT.some((field) => Object.hasOwn(body, field))) return [body];
    throw wrong('required', 'batch', 'Send {"batch": [event, …]} or one event.');
  }
  if (!Array.isArray(batch)) throw wrong('invalid', 'batch', 'The batch is a list of events.');
  if (batch.length === 0) throw wrong('blank', 'batch', 'The batch holds at least one event.');
  if (batch.length > MOST_EVENTS) {
    throw wrong('max_length', 'batch', `A request holds at most ${MOST_EVENTS.toLocaleString('en')} events.`);
  }
  return batch;
}

const wrong = (code: FieldErrorCode, attr: string, detail: string): InvalidRequest =>
  new InvalidRequest({ code, detail, attr });
