import type pg from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';
import type { EventStore } from '../eventsourcing/store/event-store.js';

/** Where the read models of a moment are made. */
export interface PastTablesSchema {
  readonly org: Uuid;
  readonly at: Instant;
  /** Streams of the resources that are asked for: rows that have nothing to do with them may be missing. */
  readonly about: readonly string[];
  /** A connection in a transaction, which ends with a rollback. */
  readonly client: pg.PoolClient;
  /** The log as it was. */
  readonly store: EventStore;
  readonly signal: AbortSignal;
}

/** Makes read models as they were at a moment: `projections/` implements this port. */
export interface ReadModelsAsOf {
  /**
   * Returns a function that makes the tables that a statement names, as temporary tables which shadow the live ones, and
   * returns the statement as it reads them.
   * @throws DomainError `invalid` when the organization had more events than are folded for one answer
   */
  open(place: PastTablesSchema): (sql: string) => Promise<string>;
}

/** Injection token. */
export const READ_MODELS_AS_OF = Symbol('ReadModelsAsOf');
