import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { comparePositions, type Position } from '../../kernel/event.js';
import { forgetPosition, requestPosition, trackPosition } from '../commands/request-position.js';
import { LOG_POSITION, OpaquePositions } from '../privacy/opaque-positions.js';
import type { Caller } from './caller.js';
import { InvalidRequest } from './invalid-request.js';
import { LastWrites } from './last-writes.js';
import { READ_MODELS, type ReadModels } from './read-models.js';
import { stateOf } from './request-state.js';

const HEADER = 'X-Recount-Position';
/** A read waits no longer for the caller's own write; then it says that it may be stale. */
const LONGEST_WAIT_MS = 2_000;

/** Who wrote reads what was written: commands answer their position, reads wait for it (architecture.md section 3.2). */
@Injectable()
export class Consistency {
  readonly #lastWrites = new LastWrites();

  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly positions: OpaquePositions,
  ) {}

  async around<Answer>(request: Request, response: Response, handle: () => Promise<Answer>): Promise<Answer> {
    const { caller, correlationId } = stateOf(request);
    if (!caller) return handle();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return this.#notingWrites(caller, correlationId, response, handle);
    if (this.readModels.isIncomplete(caller.org)) response.setHeader('X-Recount-Stale', 'true');
    const seen = newest(this.#positionSent(request, caller), this.#lastWrites.of(caller.keyId));
    if (seen && !(await this.readModels.waitFor(seen, LONGEST_WAIT_MS)))
      response.setHeader('X-Recount-Stale', 'true');
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

function newest(a: Position | undefined, b: Position | undefined): Position | undefined {
  if (!a || !b) return a ?? b;
  return comparePositions(a, b) < 0 ? b : a;
}
