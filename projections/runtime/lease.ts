import type pg from 'pg';

/**
 * Which process runs which projection, by advisory locks of one session. A lease saves the work of two processes
 * applying the same batch; it guards nothing. The checkpoint does, also when this session is lost and another process
 * goes on while this one has not noticed.
 */
export class Leases {
  private session: Promise<pg.PoolClient> | undefined;
  private readonly held = new Set<string>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly pool: pg.Pool) {}

  /** True when this process holds the lease, from now on or already. */
  async take(projection: string): Promise<boolean> {
    if (this.held.has(projection)) return true;
    const { rows } = await this.inTurn((client) =>
      client.query<{ taken: boolean }>(
        `select pg_try_advisory_lock(hashtext('recount projection'), hashtext($1)) as taken`,
        [projection],
      ),
    );
    const taken = rows[0]!.taken;
    if (taken) this.held.add(projection);
    return taken;
  }

  async give(projection: string): Promise<void> {
    if (!this.held.delete(projection)) return;
    await this.inTurn((client) =>
      client.query(`select pg_advisory_unlock(hashtext('recount projection'), hashtext($1))`, [projection]),
    );
  }

  /** Ends the session, and with it every lease. */
  async close(): Promise<void> {
    const session = this.session;
    this.forget();
    await session?.then(
      (client) => client.release(true),
      () => {},
    );
  }

  /** A session takes one statement at a time, and projections may end at the same moment. */
  private inTurn<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const result = this.turn.then(async () => work(await this.open()));
    this.turn = result.catch(() => {});
    return result;
  }

  private open(): Promise<pg.PoolClient> {
    if (this.session) return this.session;
    const session = this.pool.connect().then(
      (client) => {
        // A server that goes down also says so to a session that was just ended.
        client.once('error', () => {
          if (this.session !== session) return;
          this.forget();
          client.release(true);
        });
        return client;
      },
      (error: unknown) => {
        this.forget();
        throw error;
      },
    );
    this.session = session;
    return session;
  }

  private forget(): void {
    this.session = undefined;
    this.held.clear();
  }
}
