import type { Instant } from '../../kernel/instant.js';

/** Domain time: terms, billing, credits, the usage window, issue dates. Wall time (leases, retries) is the machine's. */
export interface Clock {
  now(): Promise<Instant>;
}

export const CLOCK = Symbol('Clock');
