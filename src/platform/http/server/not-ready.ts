import { DomainError } from '../../../kernel/errors.js';

/** The process or one of its stores cannot answer. It is the answer of readiness, and no failure of a request. */
export class NotReady extends DomainError {
  constructor(reasons: readonly string[]) {
    super('unavailable', reasons.join(' '));
  }
}
