import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { contentHash } from '../../../kernel/canonical-json.js';
import { DomainError, type ErrorCode, type FieldError } from '../../../kernel/errors.js';
import { derivedId } from '../../../kernel/ids.js';
import { CLOCK, type Clock } from '../../clock/clock.js';
import { notePosition, requestPosition } from '../../eventsourcing/command-runner/append-events.js';
import { inBackground } from '../../concurrency/long-work.js';
import { LOGGER, type Logger } from '../../telemetry/logger.js';
import { toDomainError } from '../problems/foreseen-errors.js';
import { InvalidRequest, STATUS_OF } from '../problems/problem.js';
import { stateOf } from '../auth/caller.js';
import { IdempotencyKeys, type KeyLease, RENEW_EVERY_MS, type RecordedAnswer } from './idempotency-keys.js';

const HEADER = 'Idempotency-Key';

/** Runs a POST with an Idempotency-Key once, and gives a repeat the first answer (docs/architecture.md#idempotency). */
@Injectable()
export class Idempotency {
  constructor(
    private readonly keys: IdempotencyKeys,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async around(request: Request, handle: () => Promise<unknown>): Promise<unknown> {
    const key = request.headers['idempotency-key'];
    const state = stateOf(request);
    if (key === undefined || request.method !== 'POST' || !state.caller) return handle();
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) throw unusableKey();

    const { org } = state.caller;
    const name = this.keys.nameOf(org, key);
    const existing = await this.keys.begin(org, name, hashOf(request), await this.clock.now(org));
    switch (existing.status) {
      case 'acquired':
        state.commandId = derivedId(org, `idempotency-key:${key}`);
        state.receivedAt = existing.receivedAt;
        return this.run(existing.lease, state.correlationId, handle);
      case 'answered':
        notePosition(state.correlationId, existing.position);
        return replay(existing.answer);
      case 'running':
        throw new DomainError('conflict', `The first request with this ${HEADER} is in progress. Try again.`);
      case 'other_request':
        throw new DomainError(
          'idempotency_key_reused',
          `This ${HEADER} was sent with another request. Use a new one.`,
        );
    }
  }

  private async run(
    lease: KeyLease,
    correlationId: string,
    handle: () => Promise<unknown>,
  ): Promise<unknown> {
    // Requests that hold all connections must not cost this one its key.
    const renewing = inBackground(() =>
      setInterval(() => {
        this.keys
          .renew(lease)
          .catch((err: unknown) => this.log.warn({ err }, 'A lease of an Idempotency-Key was not renewed.'));
      }, RENEW_EVERY_MS),
    );
    try {
      const body = await handle();
      await this.keys.record(lease, { body: body ?? null }, requestPosition(correlationId));
      return body;
    } catch (error) {
      await this.settle(lease, correlationId, error);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Records or releases a failed request. If this fails too, the lease ends by itself. */
  private async settle(lease: KeyLease, correlationId: string, thrown: unknown): Promise<void> {
    const error = toDomainError(thrown);
    try {
      if (error && isValidationError(error)) await this.keys.forget(lease);
      else if (error && isRefusal(error)) {
        const { code, detail } = error;
        await this.keys.record(lease, { refusal: { code, detail } }, requestPosition(correlationId));
      } else await this.keys.allowRetry(lease);
    } catch (err) {
      this.log.warn({ err }, 'The end of a request with an Idempotency-Key could not be recorded.');
    }
  }
}

/** Returns whether fields are wrong, so that the caller sends other ones or makes first what they name. */
const isValidationError = ({ fields }: DomainError): boolean => fields.length > 0;

/**
 * Returns whether an error is a decision to record. Errors of the moment (load, outage, a race) are not recorded, as a
 * retry may succeed.
 */
const isRefusal = (error: DomainError): boolean => [400, 404].includes(STATUS_OF[error.code]);

function replay(answer: RecordedAnswer): unknown {
  if ('body' in answer) return answer.body;
  const { code, detail, fields } = answer.refusal;
  throw new DomainError(code as ErrorCode, detail, fields as FieldError[]);
}

function hashOf(request: Request): string {
  const path = request.originalUrl.replace(/\/(?=\?|$)/, '');
  try {
    return contentHash({ method: request.method, path, body: (request.body as unknown) ?? null });
  } catch {
    throw new InvalidRequest({
      code: 'invalid',
      detail: 'The body has numbers that are too large to be stored. Send smaller ones.',
      attr: 'non_field_errors',
    });
  }
}

const unusableKey = (): InvalidRequest =>
  new InvalidRequest({
    code: 'invalid',
    detail: `The ${HEADER} is invalid. Send 1 to 255 printable ASCII characters without blanks.`,
    attr: HEADER,
  });
