import { DomainError, type FieldError } from '../../../kernel/errors.js';

/**
 * The request itself is malformed: found before any command ran, so it says nothing about the state of anything, and
 * is not what a repeat under the same Idempotency-Key gets again (docs/architecture.md#idempotency).
 */
export class InvalidRequest extends DomainError {
  constructor(first: FieldError, ...rest: FieldError[]) {
    super(first.code, first.detail, [first, ...rest]);
  }
}
