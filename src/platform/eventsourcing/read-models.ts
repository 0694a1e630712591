import type { Position } from '../../kernel/event.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

/** How far the read models are, in whichever process fills them: `projections/` implements this port. */
export interface ReadModels {
  /** True once every read model has reached the position; false when that takes longer. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  /** Whether a read model leaves out a stream of this organization, because an event of it cannot be applied. */
  isIncomplete(org: Uuid): boolean;
  /** The position and state of each projection, as the database has them now. */
  status(): Promise<readonly ProjectionStatus[]>;
}

/** Injection token of the `ReadModels`. */
export const READ_MODELS = Symbol('ReadModels');

export interface ProjectionStatus {
  readonly projection: string;
  /** Number of the build that is read; undefined for a projection that never ran. */
  readonly build: number | undefined;
  /** Position of the last event applied; undefined before the first. */
  readonly position: Position | undefined;
  /** Wall time of the last batch. */
  readonly updatedAt: Instant | undefined;
  /** Why the projection has stopped; undefined while it runs. */
  readonly stopped: string | undefined;
}

/** Operations of an operator on the read models: `projections/` implements this port too. */
export interface ReadModelMaintenance {
  /** Compares the read models with a fresh fold of the log. Reads the whole log and every row. */
  differences(): Promise<readonly ReadModelMismatch[]>;
  /** The streams that projections leave out, the oldest first. */
  parkedStreams(): Promise<readonly ParkedStream[]>;
  /** Asks the process that runs the projection to try its parked streams again. @returns how many streams */
  retryParked(projection: string): Promise<number>;
  /** Builds the tables of a projection anew and puts them in place of the live ones; yields a line per step. */
  rebuild(projection: string): AsyncGenerator<string, boolean>;
}

/** Injection token of the `ReadModelMaintenance`. */
export const READ_MODEL_MAINTENANCE = Symbol('ReadModelMaintenance');

/** A table that differs from the log for one organization. */
export interface ReadModelMismatch {
  readonly projection: string;
  readonly table: string;
  readonly org: Uuid;
  /** The difference in words, without the organization. */
  readonly description: string;
}

/** A stream that a projection leaves out from a revision on. */
export interface ParkedStream {
  readonly projection: string;
  readonly stream: string;
  readonly revision: string;
  readonly reason: string;
  readonly parked_at: string;
}

/** Whether this process can answer rightly now. */
export interface Readiness {
  /** Why not, in sentences that name no data; empty while it can. */
  reasons(): readonly string[];
  /** The newest position that some read model has lacked for a second or more; undefined while they keep up. */
  missing(): Position | undefined;
  /** For how many seconds each projection has lacked an event that is stored. */
  lagSeconds(): ReadonlyMap<string, number>;
}

/** Injection token. */
export const READINESS = Symbol('Readiness');
