import type { Position } from '../../../kernel/event.js';

/** Whether this process can answer rightly now. */
export interface Readiness {
  /** Why not, in sentences that name no data; empty while it can. */
  reasons(): readonly string[];
  /** The newest position that some read model has lacked for a second or more; undefined while they keep up. */
  missing(): Position | undefined;
}

/** Injection token. */
export const READINESS = Symbol('Readiness');
