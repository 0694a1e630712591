import { Injectable } from '@nestjs/common';
import { DomainError } from '../kernel/errors.js';
import type { Uuid } from '../kernel/ids.js';
import { pastMoment } from '../platform/as-of/moment.js';
import { Database } from '../platform/database/open-database.js';
import { sqlState } from '../platform/database/sql-state.js';
import { LONG_READ_CONNECTIONS } from '../platform/database/pg-pool.js';
import { FairShare } from '../platform/concurrency/limits.js';
import { AbortableSingleFlight } from '../platform/concurrency/shared-calls.js';
import { UsageReads } from './usage-reads.js';

/** Longest wait of a request for earlier counts of its organization. */
const WAIT_MS = 5_000;
const MAX_WAITING = 500;
const QUERY_CANCELED = '57014';

/** The request that a count is for. */
export interface CountCaller {
  readonly org: Uuid;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Runs counts for requests on their own connections. Each organization has a share; equal concurrent counts run once;
 * a count that nobody waits for any more is cancelled.
 */
@Injectable()
export class RequestedCounts {
  readonly #flights = new AbortableSingleFlight<unknown>();
  readonly #share = new FairShare({
    slots: LONG_READ_CONNECTIONS,
    waitMs: WAIT_MS,
    mostWaiting: MAX_WAITING,
    refusal:
      'Your organization asks for more counts of usage than are answered at once. Send fewer at a time, or try again.',
  });

  constructor(private readonly database: Database) {}

  /** @throws DomainError `throttled` when the share is used up, `unavailable` when the count takes too long */
  run<Answer>(
    { org, signal }: CountCaller,
    question: unknown,
    count: (reads: UsageReads) => Promise<Answer>,
  ): Promise<Answer> {
    const past = pastMoment();
    // As of a moment a count has a connection of its own, and the request has its share already.
    if (past) return count(new UsageReads({ pool: past.pool }));
    const { pool, reserved } = this.database;
    const key = JSON.stringify([org, question], (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    const answer = this.#flights.run(key, signal, (stop) =>
      this.#share.run(org, stop, () =>
        count(new UsageReads({ pool: reserved.longReads, signal: stop, cancelThrough: pool })).catch(
          (error: unknown) => {
            throw sqlState(error) === QUERY_CANCELED ? tookTooLong() : error;
          },
        ),
      ),
    );
    return answer as Promise<Answer>;
  }
}

const tookTooLong = (): DomainError =>
  new DomainError('unavailable', 'Counting the usage took too long and was ended. Try again later.');
