/** Descriptions of the codes of a wrong field. */
export const FIELD_ERROR_CODES = {
  required: 'A field is missing.',
  null: 'A field is null that may not be.',
  blank: 'A text is empty.',
  invalid: 'A value has the wrong type or form, or a parameter is unknown.',
  invalid_choice: 'A value is none of the choices.',
  min_value: 'A number is too small.',
  max_value: 'A number is too large.',
  max_length: 'A text or list is too long.',
  does_not_exist: 'A body or query names an unknown id.',
};

/** Descriptions of the codes of an error. */
export const ERROR_CODES = {
  ...FIELD_ERROR_CODES,
  parse_error: 'The body is not valid JSON.',
  duplicate_resource: 'An id, e-mail address or name is taken.',
  invalid_state: "The resource's state does not allow the operation.",
  invalid_operation: 'The operation is not possible.',
  overlapping_plans:
    'The customer has a subscription to this version with overlapping time and comparable filters.',
  prepayment_cant_determine_units: 'A prepaid component has no units.',
  ambiguous_plan_version: 'Several plan versions match.',
  amount_out_of_range: 'An amount would leave the limits of the interface.',
  not_authenticated: 'There is no API key.',
  authentication_failed: 'The API key is unknown, expired or revoked.',
  permission_denied: 'The API key does not have the required scope.',
  not_found: 'The path names an unknown id.',
  resource_not_found: 'The path names an unknown subscription or add-on, or nothing matches.',
  method_not_allowed: 'The path has no such method.',
  conflict: 'Somebody else changed the same thing at the same time.',
  precondition_failed: 'The resource has another ETag than If-Match says.',
  payload_too_large: 'The body is too large.',
  unsupported_media_type: 'The body is of a type that is not read.',
  idempotency_key_reused: 'The Idempotency-Key was sent with another request.',
  throttled: 'Too many requests.',
  unavailable: 'A store does not answer.',
  error: 'The service failed; the log has the reason under the correlation id.',
};
