import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { sqlState } from '../../src/platform/database/sql-state.js';

export interface LeaseTimes {
  readonly renewEveryMs: number;
  /** A lease that is not renewed within this time is free. A busy process renews sooner. */
  readonly expiresAfterMs: number;
}

const TIMES: LeaseTimes = { renewEveryMs: 1_500, expiresAfterMs: 6_000 };

/**
 * Leases decide which process does a task, such as running a projection. The holder keeps an advisory lock in a session,
 * and renews its leases in that session, so other work that uses all connections cannot cost it a lease. A frozen holder
 * loses its leases after 6 s; a dead one at once, because its session and lock are gone. Each change of the holder raises
 * the epoch, and projections refuse writes under an older epoch, so a frozen holder that resumes changes nothing.
 */
export class Leases {
  readonly #holder = BigInt.asUintN(63, randomBytes(8).readBigUInt64BE()).toString();
  readonly #held = new Map<string, bigint>();
  #session: pg.PoolClient | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly pool: pg.Pool,
    private readonly times: LeaseTimes = TIMES,
  ) {}

  /** Acquires the leases that are free. @returns the epochs of the leases that this process now holds, by name */
  async acquire(names: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
    if (names.length === 0) return new Map();
    const { rows } = await this.#query<{ name: string; epoch: string }>({
      name: 'leases-take',
      text: `with free as (
          select wanted.name from unnest($1::text[]) as wanted (name) left join leases l on l.name = wanted.name
          where l.name is null or l.holder = $2
            or l.renewed_at < clock_timestamp() - $3 * interval '1 millisecond' or pg_try_advisory_xact_lock(l.holder)
          order by wanted.name
        )
        insert into leases as l (name, holder, epoch, renewed_at) select name, $2, 1, clock_timestamp() from free
        on conflict (name) do update set holder = excluded.holder, renewed_at = clock_timestamp(),
          epoch = l.epoch + case when l.holder = excluded.holder then 0 else 1 end
        where l.holder = excluded.holder
          or l.renewed_at < clock_timestamp() - $3 * interval '1 millisecond' or pg_try_advisory_xact_lock(l.holder)
        returning name, epoch`,
      values: [names, this.#holder, this.times.expiresAfterMs],
    });
    const taken = new Map(rows.map(({ name, epoch }) => [name, BigInt(epoch)]));
    for (const [name, epoch] of taken) this.#held.set(name, epoch);
    this.#heartbeat ??= setInterval(() => void this.#renew(), this.times.renewEveryMs);
    return taken;
  }

  /** Tells whether this process held the lease at the last renewal. */
  holds(name: string): boolean {
    return this.#held.has(name);
  }

  /** Releases those of the leases that this process holds. */
  async release(names: readonly string[]): Promise<void> {
    const held = names.filter((name) => this.#held.delete(name));
    if (held.length === 0) return;
    await this.#query({
      name: 'leases-give',
      text: `update leases set renewed_at = '-infinity' where name = any($1) and holder = $2`,
      values: [held, this.#holder],
    });
  }

  /** Releases all leases. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    // If this fails, the leases become free when the session ends.
    await this.release([...this.#held.keys()]).catch(() => undefined);
    await this.#serialize(async () => {
      this.#session?.release(true);
      this.#session = undefined;
    });
  }

  async #renew(): Promise<void> {
    const names = [...this.#held.keys()];
    if (names.length === 0) return;
    try {
      const { rows } = await this.#query<{ name: string }>({
        name: 'leases-renew',
        text: `update leases set renewed_at = clock_timestamp() where holder = $1 and name = any($2) returning name`,
        values: [this.#holder, names],
      });
      const kept = new Set(rows.map(({ name }) => name));
      for (const name of names) if (!kept.has(name)) this.#held.delete(name);
    } catch {
      // The next heartbeat renews them, unless another process acquires them first.
    }
  }

  /** Runs a statement in the session, which ends if the server does not answer. */
  #query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    return this.#serialize(async () => {
      const session = await this.#holdSession();
      try {
        return await session.query<Row>(statement);
      } catch (error) {
        if (sqlState(error) === undefined) this.#end(session);
        throw error;
      }
    });
  }

  /** Opens a session that holds the advisory lock of this process, unless it is open. A former session may still hold it. */
  async #holdSession(): Promise<pg.PoolClient> {
    if (this.#session) return this.#session;
    const session = await this.pool.connect();
    // A server that shuts down also sends an error to a session that was just released.
    session.once('error', () => this.#end(session));
    try {
      await session.query('select pg_try_advisory_lock($1)', [this.#holder]);
      this.#session = session;
      return session;
    } catch (error) {
      session.release(true);
      throw error;
    }
  }

  #end(session: pg.PoolClient): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    session.release(true);
  }

  #serialize<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}
