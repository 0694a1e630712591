import type { Uuid } from '../../kernel/ids.js';
import { type Instant, fromMicros } from '../../kernel/instant.js';
import type { Pool } from 'pg';
import { pastMoment } from '../as-of/moment.js';
import { SingleFlight } from '../concurrency/shared-calls.js';

/** Domain time: every instant that a decision uses; it stands still for a request as of a moment. Wall time (leases, retries) comes from the machine. */
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
    const past = pastMoment();
    if (past) return past.at;
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

export const MANUAL_CLOCK_SCHEMA = `
create table manual_clock (
  only_row boolean primary key default true check (only_row),
  now timestamptz not null
);
comment on table manual_clock is 'The time of a service started with CLOCK=manual: shared by its processes, kept over restarts, never going back.';
comment on column manual_clock.only_row is 'There is one clock.';
comment on column manual_clock.now is 'Domain time.';`;

/** Gives each organization a clock of its own, at the time of the former clock for all. */
export const CLOCK_PER_ORGANIZATION_SCHEMA = `
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

/** Domain time that moves only when it is told to: a row for each organization, so that every process sees the same time. */
export class ManualClock implements ServiceClock {
  readonly #looks: SingleFlight<Uuid, Instant>;

  /** @param start of an organization's clock that has not run yet; undefined: the machine's time */
  constructor(
    private readonly pool: Pool,
    private readonly start: Instant | undefined,
  ) {
    this.#looks = new SingleFlight(async (org) => (await this.look(org)) ?? this.begin(org));
  }

  async now(org: Uuid): Promise<Instant> {
    return pastMoment()?.at ?? this.#looks.run(org);
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

  /** Moves the organization's clock forward; false, and nothing done, when it stands past `to` already. */
  async advanceTo(org: Uuid, to: Instant): Promise<boolean> {
    await this.now(org);
    const { rowCount } = await this.pool.query(
      'update manual_clock set now = $2 where org = $1 and now <= $2',
      [org, to],
    );
    return rowCount === 1;
  }

  private async look(org: Uuid): Promise<Instant | undefined> {
    const { rows } = await this.pool.query<{ now: Instant }>({
      name: 'manual-clock-now',
      text: 'select now from manual_clock where org = $1',
      values: [org],
    });
    return rows[0]?.now;
  }

  /** The first of several processes that start at once sets the time. */
  private async begin(org: Uuid): Promise<Instant> {
    await this.pool.query(
      'insert into manual_clock (org, now) values ($1, coalesce($2, now())) on conflict do nothing',
      [org, this.start],
    );
    return (await this.look(org))!;
  }
}
