import type { Uuid } from '../../kernel/ids.js';
import { type Instant, fromMicros } from '../../kernel/instant.js';

/** Domain time: every instant that a decision uses. Wall time (leases, retries) comes from the machine. */
export interface Clock {
  now(org: Uuid): Promise<Instant>;
}

/** The clock of a process, which also answers for all organizations at once. */
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

/** The machine's time. Within the process it never goes back and never says the same twice, whatever is done to it. */
export class SystemClock implements ServiceClock {
  #last = 0n;

  async now(): Promise<Instant> {
    const machine = BigInt(Math.floor((performance.timeOrigin + performance.now()) * 1000));
    const wall = BigInt(Date.now()) * 1000n;
    // The fine clock counts from the start of the process; where the machine's was set since then, that one is right.
    const drifted = machine > wall + SET_SINCE || machine < wall - SET_SINCE;
    const micros = drifted ? wall : machine;
    this.#last = micros > this.#last ? micros : this.#last + 1n;
    return fromMicros(this.#last);
  }

  async all(): Promise<AllClocks> {
    return { latest: await this.now(), own: {} };
  }
}

const SET_SINCE = 100_000n;
