import { randomBytes } from 'node:crypto';
import type pg from 'pg';

export interface LeaseTimes {
  readonly renewEveryMs: number;
  /** A holder that says nothing for so long is replaced. Longer than a busy process needs for one sign of life. */
  readonly expiresAfterMs: number;
}

const TIMES: LeaseTimes = { renewEveryMs: 1_500, expiresAfterMs: 6_000 };

/**
 * Which process runs what. A lease belongs to whoever renews it: a holder that is frozen is replaced after 6 s, one that
 * died at once, as its session is gone and with it the advisory lock that says that it lives. Every change of the holder
 * raises the epoch, and what a projection writes is refused under an older one: a holder that thaws changes nothing.
 */
export class Leases {
  readonly #holder = BigInt.asUintN(63, randomBytes(8).readBigUInt64BE()).toString();
  readonly #held = new Map<string, bigint>();
  #session: pg.PoolClient | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly pool: pg.Pool,
    private readonly times: LeaseTimes = TIMES,
  ) {}

  /** Takes those of the leases that are free. @returns the epochs of those that this process holds */
  async take(names: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
    if (names.length === 0) return new Map();
    await this.#inTurn(() => this.#showLife());
    const { rows } = await this.pool.query<{ name: string; epoch: string }>({
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

  /** False once another process is known to have taken it. */
  holds(name: string): boolean {
    return this.#held.has(name);
  }

  async give(name: string): Promise<void> {
    if (!this.#held.delete(name)) return;
    await this.pool.query({
      name: 'leases-give',
      text: `update leases set renewed_at = '-infinity' where name = $1 and holder = $2`,
      values: [name, this.#holder],
    });
  }

  /** Gives all of them back. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#inTurn(async () => {
      // Without it they are free as soon as the session has ended.
      await Promise.all([...this.#held.keys()].map((name) => this.give(name))).catch(() => undefined);
      this.#session?.release(true);
      this.#session = undefined;
    });
  }

  async #renew(): Promise<void> {
    const names = [...this.#held.keys()];
    if (names.length === 0) return;
    try {
      await this.#inTurn(() => this.#showLife());
      const { rows } = await this.pool.query<{ name: string }>({
        name: 'leases-renew',
        text: `update leases set renewed_at = clock_timestamp() where holder = $1 and name = any($2) returning name`,
        values: [this.#holder, names],
      });
      const kept = new Set(rows.map(({ name }) => name));
      for (const name of names) if (!kept.has(name)) this.#held.delete(name);
    } catch {
      // Not renewed: the next time, or somebody else takes them.
    }
  }

  /** A session that holds the lock of this process. Its former one may stand until the server notices that it is gone. */
  async #showLife(): Promise<void> {
    if (this.#session) return;
    const session = await this.pool.connect();
    const lost = (): void => {
      if (this.#session !== session) return;
      this.#session = undefined;
      session.release(true);
    };
    // A server that goes down also says so to a session that was just ended.
    session.once('error', lost);
    try {
      await session.query('select pg_try_advisory_lock($1)', [this.#holder]);
      this.#session = session;
    } catch (error) {
      session.release(true);
      throw error;
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
