import type pg from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { EventStore } from '../eventsourcing/store/event-store.js';

/** Input of the read models of a moment. */
export interface PastTablesSchema {
  readonly org: Uuid;
  readonly at: Instant;
  /** Streams of the requested resources; rows without a connection to them may be missing. */
  readonly about: readonly string[];
  /** Connection in a transaction that ends with a rollback. */
  readonly client: pg.PoolClient;
  /** The log up to the moment. */
  readonly store: EventStore;
  readonly signal: AbortSignal;
}

/** Read models of a moment, on one connection. */
export interface PastReadModels {
  /**
   * Builds the read models that a statement names, as temporary tables that shadow the live ones, and returns the
   * statement that reads them.
   */
  prepare(sql: string): Promise<string>;
  /**
   * Tells whether the read models, built now, would be the same: nothing was recorded since that belongs to the moment,
   * and no person was erased. @param present reads the present
   */
  areCurrent(present: pg.Pool): Promise<boolean>;
}

/** Port that builds read models of a moment; `projections/` implements it. */
export interface ReadModelsAsOf {
  open(schema: PastTablesSchema): PastReadModels;
}

/** Injection token. */
export const READ_MODELS_AS_OF = Symbol('ReadModelsAsOf');
