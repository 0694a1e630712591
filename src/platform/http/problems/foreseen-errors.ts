import { HttpException } from '@nestjs/common';
import { DomainError, type ErrorCode } from '../../../kernel/errors.js';
import {
  AppendTooLarge,
  AppendOutcomeUnknown,
  StoreUnavailable,
} from '../../eventsourcing/store/event-store.js';
import { isDatabaseDown } from '../../eventsourcing/store/store-down.js';

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
    return new DomainError(
      'payload_too_large',
      'The request asks for more than one change can hold. Split it.',
    );
  }
  return ofStatus(error);
}

/** Nest reports malformed JSON, the body reader's other refusals carry a status. */
function ofStatus(error: unknown): DomainError | undefined {
  if (error instanceof HttpException) return bySaying(error.getStatus());
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  return expose === true && typeof status === 'number' ? bySaying(status) : undefined;
}

const SENTENCES: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['parse_error', 'The request cannot be read: malformed JSON or encoding.'],
  404: ['not_found', 'There is nothing at this path.'],
  413: ['payload_too_large', 'The body is larger than this operation takes.'],
  415: ['unsupported_media_type', 'Send JSON (application/json) in UTF-8.'],
  503: ['unavailable', 'The service is stopping. Try again in a moment.'],
};

function bySaying(status: number): DomainError | undefined {
  const sentence = SENTENCES[status];
  return sentence && new DomainError(...sentence);
}
