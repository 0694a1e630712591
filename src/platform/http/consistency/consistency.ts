import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import { comparePositions, type Position } from '../../../kernel/event.js';
import {
  forgetPosition,
  requestPosition,
  trackPosition,
} from '../../eventsourcing/command-runner/request-position.js';
import { LOG_POSITION, OpaquePositions } from '../../privacy/opaque-positions.js';
import { EVENT_STORE, type EventStore } from '../../eventsourcing/store/event-store.js';
import type { Caller } from '../auth/caller.js';
import { InvalidRequest } from '../problems/problem.js';
import { LastWrites } from './last-writes.js';
import { READ_MODELS, type Readiness, READINESS, type ReadModels } from '../../eventsourcing/read-models.js';
import { stateOf } from '../server/request-state.js';

const HEADER = 'X-Recount-Position';
/** A read waits no longer for the caller's own write; then it says that it may be stale. */
const LONGEST_WAIT_MS = 2_000;

/** Gives callers read-your-writes: commands answer their position, reads wait for it (docs/architecture.md#read-your-writes). */
@Injectable()
export class Consistency {
  readonly #lastWrites = new LastWrites();

  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(READINESS) private readonly readiness: Readiness,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly positions: OpaquePositions,
  ) {}

  async around<Answer>(request: Request, response: Response, handle: () => Promise<Answer>): Promise<Answer> {
    const { caller, correlationId } = stateOf(request);
    if (!caller) return handle();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return this.#notingWrites(caller, correlationId, response, handle);
    const seen = newest(this.#positionSent(request, caller), this.#lastWrites.of(caller.keyId));
    const isBehind = !(await this.#keepUpWith(seen));
    if (isBehind || this.readModels.isIncomplete(caller.org)) response.setHeader('X-Recount-Stale', 'true');
    try {
      return await handle();
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
      if (isBehind) throw behind();
      return this.#lookAgain(handle);
    }
  }

  /** The read models show what the caller knows of, and lack nothing of others that was stored a while ago. */
  async #keepUpWith(seen: Position | undefined): Promise<boolean> {
    if (seen && !(await this.readModels.waitFor(seen, LONGEST_WAIT_MS))) return false;
    const missing = this.readiness.missing();
    return !missing || this.readModels.waitFor(missing, 0);
  }

  /** Repeats a read that found nothing after the read models reach the current head of the log: it may be newly written. */
  async #lookAgain<Answer>(handle: () => Promise<Answer>): Promise<Answer> {
    const head = await this.store.head();
    if (head && !(await this.readModels.waitFor(head, LONGEST_WAIT_MS))) throw behind();
    return handle();
  }

  /** A command that failed may have written before it did. */
  async #notingWrites<Answer>(
    caller: Caller,
    correlationId: string,
    response: Response,
    handle: () => Promise<Answer>,
  ): Promise<Answer> {
    trackPosition(correlationId);
    try {
      const answer = await handle();
      const position = newest(requestPosition(correlationId), this.#lastWrites.of(caller.keyId));
      if (position) response.setHeader(HEADER, this.positions.conceal(caller.org, LOG_POSITION, position));
      return answer;
    } finally {
      const position = requestPosition(correlationId);
      if (position) this.#lastWrites.note(caller.keyId, position);
      forgetPosition(correlationId);
    }
  }

  #positionSent(request: Request, { org }: Caller): Position | undefined {
    const text = request.headers[HEADER.toLowerCase()];
    if (text === undefined) return undefined;
    const position = typeof text === 'string' ? this.positions.reveal(org, LOG_POSITION, text) : undefined;
    if (position) return position;
    throw new InvalidRequest({
      code: 'invalid',
      detail: `Send ${HEADER} as a command of this organization answered it.`,
      attr: HEADER,
    });
  }
}

const behind = (): DomainError =>
  new DomainError('unavailable', 'The read models are behind. Try again in a moment.');

function newest(a: Position | undefined, b: Position | undefined): Position | undefined {
  if (!a || !b) return a ?? b;
  return comparePositions(a, b) < 0 ? b : a;
}
