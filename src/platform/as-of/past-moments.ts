import { Inject, Injectable } from '@nestjs/common';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { anySignal } from '../concurrency/signals.js';
import { FairShare } from '../concurrency/limits.js';
import { withCancellableClient } from '../database/cancellable.js';
import { Database, sqlState } from '../database/open-database.js';
import { PAST_READ_CONNECTIONS } from '../database/pg-pool.js';
import { ReadModelCatchUp } from '../eventsourcing/read-model-catch-up.js';
import { EVENT_STORE, type EventStore } from '../eventsourcing/store/event-store.js';
import { atMoment, type PastMoment, storeAsOf } from './moment.js';
import { READ_MODELS_AS_OF, type ReadModelsAsOf } from './read-models-as-of.js';

/** Longest wait of a request for earlier ones of its organization. */
const WAIT_MS = 5_000;
const MOST_WAITING = 100;
/** Longest time that an answer may take, fold and statements together. */
const LONGEST_MS = 20_000;
const QUERY_CANCELED = '57014';

interface PastRead {
  readonly org: Uuid;
  readonly at: Instant;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Streams of the requested resources; empty for all of the organization. */
  readonly about: readonly string[];
}

/** Lets requests read an organization as it was at a moment (docs/adr/0070-an-answer-as-of-a-moment-is-folded-anew.md). */
@Injectable()
export class PastMoments {
  readonly #share = new FairShare({
    slots: PAST_READ_CONNECTIONS,
    waitMs: WAIT_MS,
    mostWaiting: MOST_WAITING,
    refusal:
      'Your organization has too many requests with as_of under way. Send fewer at a time, or try again.',
  });

  constructor(
    private readonly database: Database,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODELS_AS_OF) private readonly readModels: ReadModelsAsOf,
    private readonly catchUp: ReadModelCatchUp,
  ) {}

  /**
   * Runs reads as of a moment.
   * @throws DomainError `throttled` if the organization's share is used up, `unavailable` if the work takes too long
   */
  async run<Result>({ org, at, signal, about }: PastRead, work: () => Promise<Result>): Promise<Result> {
    // The audit log names the streams to fold, so it must contain every event up to the moment.
    await this.catchUp.requireHead();
    const tooLong = new AbortController();
    const timer = setTimeout(() => tooLong.abort(), LONGEST_MS);
    const stop = anySignal(signal, tooLong.signal);
    try {
      const outcome = await this.#share.run(org, stop.signal, () =>
        this.#withClient(stop.signal, (client) =>
          this.#read(client, { org, at, about, signal: stop.signal }, work),
        ),
      );
      return outcome();
    } catch (error) {
      signal.throwIfAborted();
      throw tooLong.signal.aborted || sqlState(error) === QUERY_CANCELED ? tookTooLong() : error;
    } finally {
      clearTimeout(timer);
      stop.release();
    }
  }

  /** Returns refusals as outcomes: a thrown error would close the connection. */
  #withClient<Result>(
    signal: AbortSignal,
    work: (client: pg.PoolClient) => Promise<Result>,
  ): Promise<() => Result> {
    const { past, keys } = this.database.reserved;
    return withCancellableClient({ pool: past, signal, cancelThrough: keys }, (client) =>
      work(client).then(
        (result) => () => result,
        (error: unknown) => {
          if (!(error instanceof DomainError)) throw error;
          return () => {
            throw error;
          };
        },
      ),
    );
  }

  async #read<Result>(client: pg.PoolClient, read: PastRead, work: () => Promise<Result>): Promise<Result> {
    const { org, at, signal, about } = read;
    await client.query('begin isolation level repeatable read');
    const store = storeAsOf(this.store, at);
    const past = new PastPool(client, this.readModels.open({ org, at, about, client, store, signal }));
    try {
      const pool = past as unknown as pg.Pool;
      const db = new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool }) });
      const moment: PastMoment = { org, at, store, pool, db, isOver: false };
      return await atMoment(moment, work);
    } finally {
      await past.finish();
      // The rollback drops the temporary tables.
      await client.query('rollback').catch(() => undefined);
    }
  }
}

const tookTooLong = (): DomainError =>
  new DomainError(
    'unavailable',
    'The answer as of this moment took too long. Ask for a shorter list, or try again later.',
  );

/** Statements that a reader's own transaction sends; they are ignored inside the transaction of `PastMoments`. */
const OWN_TRANSACTION = /^\s*(begin|commit|rollback)\b/i;

type Query = string | pg.QueryConfig;

/**
 * A pool for a request as of a moment. All statements run in order on one connection, whose temporary tables shadow the
 * read models.
 */
class PastPool {
  #last: Promise<unknown> = Promise.resolve();
  #isFinished = false;

  constructor(
    private readonly client: pg.PoolClient,
    /** Creates the temporary tables that a statement names, and returns the statement to run. */
    private readonly prepare: (sql: string) => Promise<string>,
  ) {}

  query(query: Query, values?: unknown[]): Promise<pg.QueryResult> {
    const text = typeof query === 'string' ? query : query.text;
    if (OWN_TRANSACTION.test(text)) return Promise.resolve({ ...NO_ROWS });
    const result = this.#last.then(async () => {
      if (this.#isFinished) throw new Error('The request as of a moment has its answer.');
      // An earlier prepared statement would still read the shadowed table, so none is used.
      return this.client.query({
        text: await this.prepare(text),
        values: values ?? (typeof query === 'string' ? [] : (query.values ?? [])),
      });
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /**
   * Waits for the statement under way and refuses later ones. A request that is refused leaves reads behind, which would
   * create their tables after the rollback, where the next request finds them.
   */
  async finish(): Promise<void> {
    this.#isFinished = true;
    await this.#last;
  }

  connect(): Promise<Pick<pg.PoolClient, 'release'> & { readonly query: PastPool['query'] }> {
    return Promise.resolve({ query: (query, values) => this.query(query, values), release: () => undefined });
  }

  /** Does nothing when Kysely ends the pool: the connection belongs to `PastMoments`. */
  async end(): Promise<void> {}
}

const NO_ROWS: pg.QueryResult = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] };
