import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import { comparePositions, type Position } from '../../../kernel/event.js';
import {
  forgetPosition,
  requestPosition,
  trackPosition,
} from '../../eventsourcing/command-runner/append-events.js';
import { LastEvents } from '../../eventsourcing/last-events.js';
import { LOG_POSITION, OpaquePositions } from '../../privacy/vault.js';
import {
  REQUEST_WAITS_MS,
  ReadModelCatchUp,
  readModelsBehind,
} from '../../eventsourcing/read-model-catch-up.js';
import { type Caller, stateOf } from '../auth/caller.js';
import { InvalidRequest } from '../problems/problem.js';
import { READ_MODELS, type Readiness, READINESS, type ReadModels } from '../../eventsourcing/read-models.js';
import type { Uuid } from '../../../kernel/ids.js';

const HEADER = 'X-Recount-Position';
/** With the wait for read models it is under two seconds. */
const LAST_EVENT_TIMEOUT_MS = 300;
/** Limit of sent positions: a client cannot compare the positions of concurrent requests, so it sends all. */
const MAX_POSITIONS = 16;

/** Gives callers read-your-writes: commands return a position and reads wait for it (docs/architecture.md#read-your-writes). */
@Injectable()
export class Consistency {
  readonly #lastWrites = new LastWrites();
  /** Longest wait for the position of an organization's last event, which specs extend. */
  lastEventTimeoutMs = LAST_EVENT_TIMEOUT_MS;

  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(READINESS) private readonly readiness: Readiness,
    private readonly catchUp: ReadModelCatchUp,
    private readonly lastEvents: LastEvents,
    private readonly positions: OpaquePositions,
  ) {}

  /** @param tables tables that a read queries; all without them */
  async around<Answer>(
    request: Request,
    response: Response,
    handle: () => Promise<Answer>,
    tables?: readonly string[],
  ): Promise<Answer> {
    const { caller, correlationId } = stateOf(request);
    if (!caller) return handle();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return this.#notingWrites(caller, correlationId, response, handle);
    const until = performance.now() + REQUEST_WAITS_MS;
    const sent = this.#positionSent(request, caller);
    const seen = newest(sent, this.#lastWrites.of(caller.keyId));
    const mayHaveWrittenElsewhere = !sent && tables?.length !== 0 && !this.readiness.isAlone();
    const isBehind =
      !(await this.#keepUpWith(seen, tables)) ||
      (mayHaveWrittenElsewhere && !(await this.#keepUpWithEventsOf(caller.org, tables)));
    if (isBehind || this.readModels.isIncomplete(caller.org)) response.setHeader('X-Recount-Stale', 'true');
    try {
      return await handle();
    } catch (error) {
      if (!namesUnknown(error)) throw error;
      if (isBehind) throw readModelsBehind();
      return this.#retryAtHead(handle, until - performance.now());
    }
  }

  /** Waits for the caller's position, then checks that no read model misses an event stored a while ago. */
  async #keepUpWith(seen: Position | undefined, tables: readonly string[] | undefined): Promise<boolean> {
    if (seen && !(await this.catchUp.reaches(seen, undefined, tables))) return false;
    const missing = this.readiness.missing();
    return !missing || this.catchUp.reaches(missing, 0, tables);
  }

  /** Waits for the organization's events that any process has appended. @returns false also if the store does not answer */
  async #keepUpWithEventsOf(org: Uuid, tables: readonly string[] | undefined): Promise<boolean> {
    const timer = new AbortController();
    const tooLate = sleep(this.lastEventTimeoutMs, false as const, { signal: timer.signal }).catch(
      () => false as const,
    );
    const found = this.lastEvents.of(org).catch(() => false as const);
    const last = await Promise.race([found, tooLate]);
    timer.abort();
    if (last === false) return false;
    return !last || this.catchUp.reaches(last, undefined, tables);
  }

  /** Repeats a read that found nothing after the read models reach the current head of the log: it may be newly written. */
  async #retryAtHead<Answer>(handle: () => Promise<Answer>, withinMs: number): Promise<Answer> {
    await this.catchUp.requireHead(Math.max(0, withinMs));
    return handle();
  }

  /** Returns the position of a command's appends in a header, and notes it also for a command that failed after an append. */
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
    const sent = String(text)
      .split(',', MAX_POSITIONS + 1)
      .map((one) => this.positions.reveal(org, LOG_POSITION, one.trim()));
    if (sent.length <= MAX_POSITIONS && sent.every((position) => position !== undefined)) {
      return sent.reduce(newest, undefined);
    }
    throw new InvalidRequest({
      code: 'invalid',
      detail: `Send ${HEADER} as a command of this organization answered it, or up to ${MAX_POSITIONS} of them with commas between them.`,
      attr: HEADER,
    });
  }
}

/** Tells whether a read found nothing under an id. A text that cannot be an id never names anything. */
const namesUnknown = (error: unknown): boolean =>
  error instanceof DomainError &&
  !(error instanceof InvalidRequest) &&
  (error.code === 'not_found' ||
    error.code === 'resource_not_found' ||
    error.fields.some(({ code }) => code === 'does_not_exist'));

function newest(a: Position | undefined, b: Position | undefined): Position | undefined {
  if (!a || !b) return a ?? b;
  return comparePositions(a, b) < 0 ? b : a;
}

const REMEMBERED_KEYS = 10_000;

/** Newest position that this process returned to each API key; the least recently used are evicted. */
class LastWrites {
  readonly #positions = new Map<string, Position>();

  of(keyId: Uuid): Position | undefined {
    return this.#positions.get(keyId);
  }

  note(keyId: Uuid, position: Position): void {
    const known = this.#positions.get(keyId);
    this.#positions.delete(keyId);
    this.#positions.set(keyId, known && comparePositions(known, position) > 0 ? known : position);
    if (this.#positions.size > REMEMBERED_KEYS) {
      this.#positions.delete(this.#positions.keys().next().value!);
    }
  }
}
