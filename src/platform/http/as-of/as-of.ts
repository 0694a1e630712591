import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { formatInstant, type Instant } from '../../../kernel/instant.js';
import { CLOCK, type ServiceClock } from '../../clock/clock.js';
import { PastMoments } from '../../as-of/past-moments.js';
import { Authentication } from '../auth/authentication.js';
import { type Caller, clientDisconnected, stateOf } from '../auth/caller.js';
import { EtagLocators } from '../etag/etags.js';
import { operationOf, acceptsAsOf } from '../openapi/operation.js';
import { InvalidRequest } from '../problems/problem.js';
import { queryOf } from '../query/query-params.js';
import { LONG_READ_COST, RateLimits } from '../rate-limits/rate-limits.js';
import { openTemporaryFile } from '../server/temporary-file.js';

/** Answers reads as of a moment of recorded time (docs/contract.md#as-of). */
@Injectable()
export class AsOf {
  constructor(
    private readonly moments: PastMoments,
    private readonly limits: RateLimits,
    private readonly streams: EtagLocators,
    private readonly authentication: Authentication,
    @Inject(CLOCK) private readonly clock: ServiceClock,
  ) {}

  /**
   * Returns the moment in `as_of`; undefined without it. A read of the past is charged to the caller's organization, so it
   * needs a key on public routes too.
   * @throws InvalidRequest for an invalid or future moment; DomainError without a valid key
   */
  async momentOf(request: Request, handler: object): Promise<Instant | undefined> {
    const spec = operationOf(handler);
    if (typeof spec !== 'object' || !acceptsAsOf(request.method.toLowerCase(), spec)) return undefined;
    const query = queryOf(request);
    const at = query.calculableInstant('as_of');
    if (at === undefined) return undefined;
    const now = await this.timeOf(await this.authentication.authenticate(request));
    if (at <= now) return at;
    throw new InvalidRequest({
      code: 'max_value',
      detail: `This moment is in the future; the time is ${formatInstant(now)}. Leave out as_of to read the present.`,
      attr: 'as_of',
    });
  }

  /** Returns the time of the caller's organization; for the operator of the service that of the latest one. */
  private async timeOf({ org, scope }: Caller): Promise<Instant> {
    return scope === 'bootstrap' ? (await this.clock.all()).latest : this.clock.now(org);
  }

  /** Runs a read at a moment, at the cost of a long read. */
  async around<Answer>(
    request: Request,
    response: Response,
    at: Instant,
    handle: () => Promise<Answer>,
  ): Promise<Answer | StreamableFile> {
    const { org } = stateOf(request).caller!;
    this.limits.charge(org, LONG_READ_COST);
    const signal = clientDisconnected(response);
    const about = await this.streams.named(org, [
      ...Object.entries(request.params).map(([name, id]) => [name, String(id)] as const),
      ...queryOf(request)
        .sent()
        .map(({ name, value }) => [name, value] as const),
    ]);
    return this.moments.run({ org, at, signal, about }, async () => spooled(await handle()));
  }
}

/**
 * Copies a streamed answer to a temporary file and returns an answer that streams the file, so that all reads happen
 * within the moment. Returns other answers unchanged.
 */
async function spooled<Answer>(answer: Answer): Promise<Answer | StreamableFile> {
  if (!(answer instanceof StreamableFile)) return answer;
  const file = await openTemporaryFile();
  try {
    for await (const chunk of answer.getStream()) await file.writeFile(chunk as Buffer);
    return new StreamableFile(file.createReadStream({ start: 0 }), answer.options);
  } catch (error) {
    await file.close();
    throw error;
  }
}
