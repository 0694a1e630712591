import type pg from 'pg';
import { createPool, type PoolOptions } from './pg-pool.js';

/** Every request looks its key up, in a statement of well under a millisecond. */
const FOR_KEYS = 2;
/** Counts of usage that requests ask for, at once: all other connections are left to billing runs and short statements. */
export const FOR_COUNTING = 4;
/** PostgreSQL ends a count that takes longer. */
const COUNTING_WITHIN_MS = 20_000;

/** Connections that no other work can hold. */
export interface ReservedPools {
  /** For looking up API keys. */
  readonly keys: pg.Pool;
  /** For counts of usage that requests ask for; their statements have a time limit. */
  readonly counting: pg.Pool;
}

/** @param client makes their connections */
export const openReservedPools = (
  url: string,
  onIdleError: (error: Error) => void,
  client: PoolOptions['client'],
): ReservedPools => ({
  keys: createPool(url, onIdleError, FOR_KEYS, { client }),
  counting: createPool(url, onIdleError, FOR_COUNTING, {
    client,
    // A count takes one processor: with workers beside it, few counts would take all of them.
    settings: [`statement_timeout=${COUNTING_WITHIN_MS}`, 'max_parallel_workers_per_gather=0'],
  }),
});
