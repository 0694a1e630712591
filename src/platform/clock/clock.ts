import type { Uuid } from '../../kernel/ids.js';
import type { Instant } from '../../kernel/instant.js';

/** Domain time: terms, billing, credits, the usage window, issue dates. Wall time (leases, retries) is the machine's. */
export interface Clock {
  now(org: Uuid): Promise<Instant>;
}

/** Clock of a process; it also answers questions over all organizations. */
export interface ServiceClock extends Clock {
  all(): Promise<AllClocks>;
}

export interface AllClocks {
  /** No organization's clock is past it; the time of each that is not named in `own`. */
  readonly latest: Instant;
  /** Organizations with a clock of their own. */
  readonly own: Readonly<Record<Uuid, Instant>>;
}

export const CLOCK = Symbol('Clock');
