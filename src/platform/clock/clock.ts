import type { Uuid } from '../../kernel/ids.js';
import { type Instant, fromMicros } from '../../kernel/instant.js';
import type { Pool } from 'pg';
import { pastMoment } from '../as-of/moment.js';
import { SeparateFlights } from '../concurrency/shared-calls.js';

/**
 * Domain time: every instant that a decision uses. A request as of a moment reads that moment. Wall time, for leases and
 * retries, comes from the machine.
 */
export interface Clock {
  now(org: Uuid): Promise<Instant>;
}

/** Clock of a process, which also reads the clocks of all organizations at once. */
export interface ServiceClock extends Clock {
  all(): Promise<AllClocks>;
}

export interface AllClocks {
  /** Latest time of any clock; the time of every organization that is not in `own`. */
  readonly latest: Instant;
  /** Times of the organizations with their own clock. */
  readonly own: Readonly<Record<Uuid, Instant>>;
}

export const CLOCK = Symbol('Clock');

/** The machine's time. Within a process each time is later than the one before, even if the machine's clock is set back. */
export class SystemClock implements ServiceClock {
  #last = 0n;

  async now(): Promise<Instant> {
    const past = pastMoment();
    if (past) return past.at;
    const machine = BigInt(Math.floor((performance.timeOrigin + performance.now()) * 1000));
    const wall = BigInt(Date.now()) * 1000n;
    // The fine clock counts from the start of the process, so it is wrong after the machine's clock was set.
    const drifted = machine > wall + LARGEST_DRIFT || machine < wall - LARGEST_DRIFT;
    const micros = drifted ? wall : machine;
    this.#last = micros > this.#last ? micros : this.#last + 1n;
    return fromMicros(this.#last);
  }

  async all(): Promise<AllClocks> {
    return { latest: await this.now(), own: {} };
  }
}

/** Microseconds between the fine clock and the machine's clock above which the latter was set. */
const LARGEST_DRIFT = 100_000n;

export const MANUAL_CLOCK_MIGRATION = `
create table manual_clock (
  only_row boolean primary key default true check (only_row),
  now timestamptz not null
);
comment on table manual_clock is 'The time of a service started with CLOCK=manual: shared by its processes, kept over restarts, never going back.';
comment on column manual_clock.only_row is 'There is one clock.';
comment on column manual_clock.now is 'Domain time.';`;

/** Gives each organization its own clock, at the time of the former shared clock. */
export const CLOCK_PER_ORGANIZATION_MIGRATION = `
alter table manual_clock rename to shared_manual_clock;
create table manual_clock (
  org uuid primary key,
  now timestamptz not null
);
comment on table manual_clock is 'The time of each organization of a service started with CLOCK=manual: shared by its processes, kept over restarts, never going back. Empty under the system clock.';
comment on column manual_clock.org is 'Tenant.';
comment on column manual_clock.now is 'Domain time.';
insert into manual_clock (org, now)
  select keys.org, shared.now from (select distinct org from api_keys) keys cross join shared_manual_clock shared;
drop table shared_manual_clock;`;

/** Clock that moves only by `advanceTo`. A row for each organization holds the time, so all processes agree. */
export class ManualClock implements ServiceClock {
  readonly #reads: SeparateFlights<Uuid, Instant>;

  /** @param start first time of an organization's clock; undefined for the machine's time */
  constructor(
    private readonly pool: Pool,
    private readonly start: Instant | undefined,
  ) {
    this.#reads = new SeparateFlights(async (org) => (await this.read(org)) ?? this.begin(org));
  }

  async now(org: Uuid): Promise<Instant> {
    return pastMoment()?.at ?? this.#reads.run(org);
  }

  async all(): Promise<AllClocks> {
    const { rows } = await this.pool.query<{ org: Uuid; now: Instant }>(
      'select org, now from manual_clock order by now desc',
    );
    const { rows: machine } = await this.pool.query<{ now: Instant }>(
      'select coalesce($1::timestamptz, now()) as now',
      [this.start],
    );
    const own = Object.fromEntries(rows.map(({ org, now }) => [org, now]));
    return { latest: rows[0]?.now ?? machine[0]!.now, own };
  }

  /** Moves the organization's clock forward; returns false if it is past `to` already. */
  async advanceTo(org: Uuid, to: Instant): Promise<boolean> {
    await this.now(org);
    const { rowCount } = await this.pool.query(
      'update manual_clock set now = $2 where org = $1 and now <= $2',
      [org, to],
    );
    return rowCount === 1;
  }

  private async read(org: Uuid): Promise<Instant | undefined> {
    const { rows } = await this.pool.query<{ now: Instant }>({
      name: 'manual-clock-now',
      text: 'select now from manual_clock where org = $1',
      values: [org],
    });
    return rows[0]?.now;
  }

  /** Starts the clock of an organization; of several processes the first one sets the time. */
  private async begin(org: Uuid): Promise<Instant> {
    await this.pool.query(
      'insert into manual_clock (org, now) values ($1, coalesce($2, now())) on conflict do nothing',
      [org, this.start],
    );
    return (await this.read(org))!;
  }
}
