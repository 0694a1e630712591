/** Rules of the product that a request can break; the answer has status 400. */
export const RULE_CODES = [
  'overlapping_plans',
  'prepayment_cant_determine_units',
  'ambiguous_plan_version',
  'amount_out_of_range',
] as const;

/** Codes of refusals. The HTTP filter maps each to a status (docs/contract.md#errors). */
export type ErrorCode =
  | FieldErrorCode
  | (typeof RULE_CODES)[number]
  | 'parse_error'
  | 'duplicate_resource'
  | 'invalid_state'
  | 'invalid_operation'
  | 'not_found'
  | 'resource_not_found'
  | 'not_authenticated'
  | 'authentication_failed'
  | 'permission_denied'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'conflict'
  | 'unavailable'
  | 'precondition_failed'
  | 'idempotency_key_reused'
  | 'throttled';

export type FieldErrorCode =
  | 'required'
  | 'null'
  | 'blank'
  | 'invalid'
  | 'invalid_choice'
  | 'min_value'
  | 'max_value'
  | 'max_length'
  | 'does_not_exist';

/** A fault of one field; `attr` is its dotted path, or `non_field_errors` for a rule across fields. */
export interface FieldError {
  readonly code: FieldErrorCode;
  readonly detail: string;
  readonly attr: string;
}

export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    /** Tells the caller what is wrong, then what to do. */
    readonly detail: string,
    /** Faults of fields; if there are any, this is a validation error. */
    readonly fields: readonly FieldError[] = [],
  ) {
    super(`${code}: ${detail}`);
    this.name = 'DomainError';
  }
}

/** Returns the detail for an id that names nothing, in a path, a query or a body. @param what such as `customer` */
export const unknownId = (what: string): string => `There is no ${what} with this id. Check the id.`;

/** Returns a validation error that reports all faults; the first gives the title. */
export function invalidFields(first: FieldError, ...rest: FieldError[]): DomainError {
  return new DomainError(first.code, first.detail, [first, ...rest]);
}
