/** Whether this process can answer rightly now. */
export interface Readiness {
  /** Why not, in sentences that name no data; empty while it can. */
  reasons(): readonly string[];
}

/** Injection token. */
export const READINESS = Symbol('Readiness');
