import type { Position } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

/** Progress of the read models, in any process; `projections/` implements this port. */
export interface ReadModels {
  /**
   * Waits until read models have reached a position.
   * @param tables tables of read models; all without them
   * @returns false after the timeout
   */
  waitFor(position: Position, timeoutMs: number, tables?: readonly string[]): Promise<boolean>;
  /**
   * Returns a number that grows before this process regards the read models as caught up with an event of the organization,
   * so that an answer from before the event is known to be one. Rows that change without an event leave it as it is.
   */
  lastChangeOf(org: Uuid): number;
  /** Returns whether a read model leaves out a stream of the organization, because an event cannot be applied. */
  isIncomplete(org: Uuid): boolean;
  /** Returns the position up to which every read model holds the log; undefined while one has applied nothing. */
  reached(): Promise<Position | undefined>;
  /** Returns position and state of each projection, as its checkpoint has them. */
  status(): Promise<readonly ProjectionStatus[]>;
}

/** Injection token of the `ReadModels`. */
export const READ_MODELS = Symbol('ReadModels');

export interface ProjectionStatus {
  readonly projection: string;
  /** Number of the live build; undefined for a projection that never ran. */
  readonly build: number | undefined;
  /** Position of the last event applied; undefined before the first. */
  readonly position: Position | undefined;
  /** Wall time of the last batch. */
  readonly updatedAt: Instant | undefined;
  /** Why the projection has stopped; undefined while it runs. */
  readonly stopped: string | undefined;
}

/** Operations of an operator on the read models; `projections/` implements this port. */
export interface ReadModelMaintenance {
  /** Compares the read models with a fresh fold of the log. Reads the whole log and every row. */
  differences(): Promise<readonly ReadModelMismatch[]>;
  /** Compares tables, views and code of the database with what this release creates. @returns a sentence for each difference */
  schemaDifferences(): Promise<readonly string[]>;
  /** Compares the sums that reports read with the tables that they sum. */
  differingSums(): Promise<readonly (ReadModelMismatch & { readonly org: Uuid })[]>;
  /** Returns the streams that projections leave out, the oldest first. */
  parkedStreams(): Promise<readonly ParkedStream[]>;
  /** Asks the process that runs the projection to try its parked streams again. @returns how many streams */
  retryParked(projection: string): Promise<number>;
  /** Rebuilds the tables of a projection and replaces the live ones; yields a line per step. */
  rebuild(projection: string): AsyncGenerator<string, boolean>;
}

/** Injection token of the `ReadModelMaintenance`. */
export const READ_MODEL_MAINTENANCE = Symbol('ReadModelMaintenance');

/** A table that differs from the log. */
export interface ReadModelMismatch {
  readonly projection: string;
  readonly table: string;
  /** Undefined where the table, its view or its checkpoint differs, for all organizations alike. */
  readonly org: Uuid | undefined;
  /** The difference in words, without the organization. */
  readonly description: string;
}

/** Id in `read_model_differences` of a difference that has no organization of its own. */
export const EVERY_ORGANIZATION: Uuid = '00000000-0000-0000-0000-000000000000';

/** A stream that a projection leaves out from a revision on. */
export interface ParkedStream {
  readonly projection: string;
  readonly stream: string;
  readonly revision: string;
  readonly reason: string;
  readonly parked_at: string;
}

/** Readiness of this process to answer requests. */
export interface Readiness {
  /** Returns why the process is not ready, in sentences that name no data; empty if it is ready. */
  reasons(): readonly string[];
  /** Returns the newest position that a read model has missed for a second or more; undefined if there is none. */
  missing(): Position | undefined;
  /** Returns whether this process is known to be the only one on its database. */
  isAlone(): boolean;
  /** Returns the seconds for which each projection has missed a stored event. */
  lagSeconds(): ReadonlyMap<string, number>;
}

/** Injection token. */
export const READINESS = Symbol('Readiness');
