import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DomainError } from '../../kernel/errors.js';
import { FairShare } from '../concurrency/limits.js';
import { KeyedMutex } from '../concurrency/shared-calls.js';
import { anySignal } from '../concurrency/signals.js';
import { Database } from '../database/open-database.js';
import { sqlState } from '../database/sql-state.js';
import { PAST_READ_CONNECTIONS } from '../database/pg-pool.js';
import { ReadModelCatchUp } from '../eventsourcing/read-model-catch-up.js';
import { EVENT_STORE, type EventStore } from '../eventsourcing/store/event-store.js';
import { KeptMoments } from './kept-moments.js';
import { OpenMoment, type MomentToRead } from './open-moment.js';
import { READ_MODELS_AS_OF, type ReadModelsAsOf } from './read-models-as-of.js';

/** Longest wait of a request for earlier ones of its organization. */
const WAIT_MS = 5_000;
/** Limit of waiting requests of one organization, and of those for one moment. */
const MAX_WAITING = 100;
/** Longest time that an answer may take, fold and statements together. */
const LONGEST_MS = 20_000;
const QUERY_CANCELED = '57014';

interface PastRead extends MomentToRead {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Runs requests as of a moment: they read an organization as it was then
 * (docs/adr/0070-an-answer-as-of-a-moment-is-rebuilt-from-events.md).
 */
@Injectable()
export class PastMoments implements OnApplicationShutdown {
  readonly #share = new FairShare({
    slots: PAST_READ_CONNECTIONS,
    waitMs: WAIT_MS,
    mostWaiting: MAX_WAITING,
    refusal:
      'Your organization has too many requests with as_of under way. Send fewer at a time, or try again.',
  });
  /** Requests for the same moment take turns, so that the first folds for all. */
  readonly #turns = new KeyedMutex((ms, signal) => sleep(ms, undefined, { signal }));
  readonly #kept = new KeptMoments(PAST_READ_CONNECTIONS);

  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODELS_AS_OF) private readonly readModels: ReadModelsAsOf,
    private readonly catchUp: ReadModelCatchUp,
  ) {}

  /**
   * Runs reads as of a moment.
   * @throws DomainError `throttled` if the organization's share is used up, `unavailable` if too many wait or the work takes too long
   */
  async run<Result>({ signal, ...moment }: PastRead, work: () => Promise<Result>): Promise<Result> {
    // The audit log names the streams to fold, so it must contain every event up to the moment.
    await this.catchUp.requireHead();
    const key = keyOf(moment);
    if (this.#turns.count(key) > MAX_WAITING) throw tooManyWait();
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(), LONGEST_MS);
    const stop = anySignal(signal, tooLong.signal);
    try {
      return await this.#turns.take(
        key,
        () => this.#share.run(moment.org, stop.signal, () => this.#read(key, moment, stop.signal, work)),
        LONGEST_MS,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw tooLong.signal.aborted || sqlState(error) === QUERY_CANCELED ? tookTooLong() : error;
    } finally {
      clearTimeout(timer);
      stop.release();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#kept.close();
  }

  #read<Result>(
    key: string,
    moment: MomentToRead,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { pool, reserved: pools } = this.database;
    const { store, readModels } = this;
    return this.#kept.use(
      key,
      {
        isCurrent: (kept) => kept.isCurrent(pool),
        open: () => OpenMoment.open(moment, { pools, store, readModels }, signal),
      },
      (open) => open.read(signal, work),
    );
  }
}

const keyOf = ({ org, at, about }: MomentToRead): string => [org, at, ...about].join(' ');

const tooManyWait = (): DomainError =>
  new DomainError(
    'unavailable',
    'Too many requests wait for this moment. Send fewer at a time, or try again later.',
  );

const tookTooLong = (): DomainError =>
  new DomainError(
    'unavailable',
    'The answer as of this moment took too long. Ask for a shorter list, or try again later.',
  );
