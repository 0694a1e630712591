import type { Pool } from 'pg';
import type { Instant } from '../../kernel/instant.js';
import { SharedLooks } from '../shared-looks.js';
import type { Clock } from './clock.js';

export const MANUAL_CLOCK_SCHEMA = `
create table manual_clock (
  only_row boolean primary key default true check (only_row),
  now timestamptz not null
);
comment on table manual_clock is 'The time of a service started with CLOCK=manual: shared by its processes, kept over restarts, never going back.';
comment on column manual_clock.only_row is 'There is one clock.';
comment on column manual_clock.now is 'Domain time.';`;

/** Domain time that moves only when it is told to: one row, so that every process sees the same time. */
export class ManualClock implements Clock {
  readonly #looks: SharedLooks<'now', Instant>;

  private constructor(private readonly pool: Pool) {
    this.#looks = new SharedLooks(async () => {
      const { rows } = await pool.query<{ now: Instant }>({
        name: 'manual-clock-now',
        text: 'select now from manual_clock',
      });
      return rows[0]!.now;
    });
  }

  /** @param start counts only when there is no clock yet; without it a new clock starts at the machine's time */
  static async open(pool: Pool, start: Instant | undefined): Promise<ManualClock> {
    await pool.query('insert into manual_clock (now) values (coalesce($1, now())) on conflict do nothing', [
      start,
    ]);
    return new ManualClock(pool);
  }

  now(): Promise<Instant> {
    return this.#looks.ask('now');
  }

  /** Moves the clock forward; false, and nothing done, when it stands past `to` already. */
  async advanceTo(to: Instant): Promise<boolean> {
    const { rowCount } = await this.pool.query('update manual_clock set now = $1 where now <= $1', [to]);
    return rowCount === 1;
  }
}
