import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { DomainError } from '../../kernel/errors.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import { withCancellableClient } from '../database/cancellable.js';
import type { ReservedPools } from '../database/pg-pool.js';
import type { EventStore } from '../eventsourcing/store/event-store.js';
import { atMoment, type PastMoment, storeAsOf } from './moment.js';
import { PastPool } from './past-pool.js';
import type { PastReadModels, ReadModelsAsOf } from './read-models-as-of.js';

/** A moment of an organization, and the part of it that is read. */
export interface MomentToRead {
  readonly org: Uuid;
  readonly at: Instant;
  /** Streams of the requested resources; empty for all of the organization. */
  readonly about: readonly string[];
}

interface Stores {
  readonly pools: Pick<ReservedPools, 'past' | 'keys'>;
  readonly store: EventStore;
  readonly readModels: ReadModelsAsOf;
}

/**
 * A connection with a transaction in which read models of a moment are folded. It serves one request at a time, and ends
 * with a rollback, which drops the temporary tables.
 */
export class OpenMoment {
  readonly openedAt = performance.now();
  readonly #life = new AbortController();
  readonly #store: EventStore;
  #signal: AbortSignal;
  #client: pg.PoolClient | undefined;
  #models: PastReadModels | undefined;
  #finish: (error?: Error) => void = () => undefined;
  #over: Promise<void> = Promise.resolve();

  private constructor(
    private readonly moment: MomentToRead,
    private readonly stores: Stores,
    signal: AbortSignal,
  ) {
    this.#signal = signal;
    this.#store = storeAsOf(stores.store, moment.at);
  }

  /** @throws the signal's reason, or an error of the connection */
  static async open(moment: MomentToRead, stores: Stores, signal: AbortSignal): Promise<OpenMoment> {
    const opened = new OpenMoment(moment, stores, signal);
    await opened.#until(signal, () => opened.#begin());
    return opened;
  }

  /**
   * Runs a request's reads. When its signal aborts, or they fail other than by a refusal, the moment is closed.
   * @throws what the reads throw; the signal's reason
   */
  async read<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    this.#signal = signal;
    return this.#until(signal, async () => {
      try {
        return await this.#run(work);
      } catch (error) {
        if (!(error instanceof DomainError)) this.#finish(error as Error);
        throw error;
      } finally {
        // Ends after the last statement, which the signal has cancelled.
        if (signal.aborted) this.#finish(signal.reason as Error);
      }
    });
  }

  /**
   * Returns whether the moment would give the same answers if it were opened now; false if its connection broke.
   * @param pool reads the present
   */
  async isCurrent(pool: pg.Pool): Promise<boolean> {
    return !this.#life.signal.aborted && (await this.#models!.areCurrent(pool).catch(() => false));
  }

  /** Returns once the connection is back in its pool. */
  async close(): Promise<void> {
    this.#finish();
    await this.#over.catch(() => undefined);
  }

  #begin(): Promise<void> {
    const { past, keys } = this.stores.pools;
    return new Promise((resolve, reject) => {
      const life = { pool: past, signal: this.#life.signal, cancelThrough: keys };
      this.#over = withCancellableClient(life, async (client) => {
        const ended = new Promise<void>((end, fail) => {
          this.#finish = (error) => (error ? fail(error) : end());
        });
        // The client may leave before the transaction has begun.
        ended.catch(() => undefined);
        await client.query('begin isolation level repeatable read');
        this.#client = client;
        this.#models = this.#open(client);
        resolve();
        await ended;
        await client.query('rollback');
      });
      this.#over.catch(reject);
    });
  }

  #open(client: pg.PoolClient): PastReadModels {
    const signalOf = (): AbortSignal => this.#signal;
    return this.stores.readModels.open({
      ...this.moment,
      client,
      store: this.#store,
      get signal() {
        return signalOf();
      },
    });
  }

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    const past = new PastPool(this.#client!, (sql) => this.#models!.prepare(sql));
    const pool = past as unknown as pg.Pool;
    const db = new Kysely<Record<never, never>>({ dialect: new PostgresDialect({ pool }) });
    const { org, at } = this.moment;
    try {
      return await atMoment(
        { org, at, store: this.#store, pool, db, isOver: false } satisfies PastMoment,
        work,
      );
    } finally {
      await past.finish();
    }
  }

  /** Ends the moment when the signal aborts; the statement under way is cancelled. */
  async #until<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const end = (): void => this.#life.abort(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener('abort', end, { once: true });
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }
}
