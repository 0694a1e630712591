import { RULE_CODES, DomainError, type ErrorCode, type FieldError } from '../../../kernel/errors.js';

/** Body of every refusal: RFC 7807 in the shape of docs/contract.md#errors. */
export interface Problem {
  readonly type: string;
  /** Machine-readable code. */
  readonly title: string;
  readonly detail: string;
  readonly status: number;
  /** Correlation id, also in `X-Request-Id`. */
  readonly instance: string;
  readonly validation_errors?: readonly FieldError[];
}

export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  required: 400,
  null: 400,
  blank: 400,
  invalid: 400,
  invalid_choice: 400,
  min_value: 400,
  max_value: 400,
  max_length: 400,
  does_not_exist: 400,
  parse_error: 400,
  duplicate_resource: 400,
  invalid_state: 400,
  invalid_operation: 400,
  ...(Object.fromEntries(RULE_CODES.map((code) => [code, 400])) as Record<
    (typeof RULE_CODES)[number],
    number
  >),
  not_authenticated: 401,
  authentication_failed: 401,
  permission_denied: 403,
  not_found: 404,
  resource_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  throttled: 429,
  unavailable: 503,
};

/** Detail for a path that no route answers. */
export const UNKNOWN_PATH = 'There is nothing at this path. GET /api/openapi.json lists all paths.';

/** Seconds after which a repeat may succeed. */
export const RETRY_AFTER: Partial<Record<ErrorCode, string>> = {
  conflict: '1',
  unavailable: '2',
  throttled: '1',
};

const TYPES = 'urn:recount:problems';

export function problemOf(error: DomainError, instance: string): Problem {
  const status = STATUS_OF[error.code];
  const { code: title, detail, fields } = error;
  if (fields.length > 0) {
    return { type: `${TYPES}#validation-error`, title, detail, status, instance, validation_errors: fields };
  }
  return { type: `${TYPES}#${status < 500 ? 'client' : 'server'}-error`, title, detail, status, instance };
}

/** Returns the answer to an unexpected error. It shows no internals; the correlation id finds the error in the log. */
export const internalProblem = (instance: string): Problem => ({
  type: `${TYPES}#server-error`,
  title: 'error',
  detail: 'The request failed. Tell the operator the id in "instance", under which it is logged.',
  status: 500,
  instance,
});

/**
 * Refusal of a malformed request, before a command runs. It depends on no state, so its Idempotency-Key is freed
 * (docs/architecture.md#idempotency).
 */
export class InvalidRequest extends DomainError {
  constructor(first: FieldError, ...rest: FieldError[]) {
    super(first.code, first.detail, [first, ...rest]);
  }
}
