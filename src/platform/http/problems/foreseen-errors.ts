import { HttpException } from '@nestjs/common';
import { DomainError, type ErrorCode } from '../../../kernel/errors.js';
import {
  AppendTooLarge,
  AppendOutcomeUnknown,
  StoreUnavailable,
} from '../../eventsourcing/store/event-store.js';
import { isDatabaseDown } from '../../eventsourcing/store/store-down.js';
import { UNKNOWN_PATH } from './problem.js';

/** Maps errors of frameworks and drivers to domain errors; undefined for an unexpected error. */
export function toDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (error instanceof StoreUnavailable || isDatabaseDown(error)) {
    return new DomainError('unavailable', 'A store does not answer. Try again in a moment.');
  }
  if (error instanceof AppendOutcomeUnknown) {
    return new DomainError(
      'unavailable',
      'The connection to a store broke before it answered. Repeat the request with the same Idempotency-Key.',
    );
  }
  if (error instanceof AppendTooLarge) {
    return new DomainError('payload_too_large', 'The request is too large for one change. Split it.');
  }
  return fromStatus(error);
}

/** Maps errors of Nest and Express by their status. */
function fromStatus(error: unknown): DomainError | undefined {
  if (error instanceof HttpException) return refusalOf(error.getStatus());
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  return expose === true && typeof status === 'number' ? refusalOf(status) : undefined;
}

export const MALFORMED_JSON = 'The body is malformed JSON or has a wrong encoding. Send JSON in UTF-8.';

const REFUSALS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['parse_error', MALFORMED_JSON],
  404: ['not_found', UNKNOWN_PATH],
  413: ['payload_too_large', 'The body is larger than this operation takes. Send less at a time.'],
  415: ['unsupported_media_type', 'Send the body as JSON in UTF-8, with Content-Type: application/json.'],
  503: ['unavailable', 'The service is stopping. Try again in a moment.'],
};

function refusalOf(status: number): DomainError | undefined {
  const refusal = REFUSALS[status];
  return refusal && new DomainError(...refusal);
}
