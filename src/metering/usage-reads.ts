import type pg from 'pg';
import type { Uuid } from '../kernel/ids.js';
import { forEachYielding } from '../platform/concurrency/long-work.js';
import { withCancellableClient, type CancellableReads } from '../platform/database/cancellable.js';

const FETCHED_AT_ONCE = 10_000;

/** Cursors opened so far: reads as of one moment share a connection and its transaction. */
let cursors = 0;

export interface OrderedStatement {
  /** Organization of the events; undefined for all. */
  readonly org: Uuid | undefined;
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Limit of rows: fewer than a page are read in one round trip, more with a cursor. */
  readonly mostRows: number;
}

/** Runs reads of the usage log, which end when a signal aborts, if there is one. */
export class UsageReads {
  /** @param where with a signal for reads that end when it aborts */
  constructor(private readonly where: { readonly pool: pg.Pool } | CancellableReads) {}

  async query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    if (!('signal' in this.where)) return this.where.pool.query<Row>(statement);
    return withCancellableClient(this.where, (client) => client.query<Row>(statement));
  }

  /**
   * Calls `take` with each row of a statement, in its order. Memory is bounded: the database sorts on disk if it must,
   * and rows are fetched in pages.
   */
  async ascending<Row extends pg.QueryResultRow>(
    { org, name, text, values, mostRows }: OrderedStatement,
    take: (row: Row) => void,
  ): Promise<void> {
    if (mostRows <= FETCHED_AT_ONCE) {
      const { rows } = await this.query<Row>({ name, text, values: [...values] });
      return this.#hand(org, rows, take);
    }
    await this.#withClient(async (client) => {
      await client.query('begin read only');
      const cursor = `in_order_${(cursors += 1)}`;
      await client.query(`declare ${cursor} no scroll cursor for ${text}`, [...values]);
      for (let full = true; full;) {
        const { rows } = await client.query<Row>(`fetch ${FETCHED_AT_ONCE} from ${cursor}`);
        await this.#hand(org, rows, take);
        full = rows.length === FETCHED_AT_ONCE;
      }
      await client.query(`close ${cursor}`);
      await client.query('commit');
    });
  }

  #hand<Row>(org: Uuid | undefined, rows: readonly Row[], take: (row: Row) => void): Promise<void> {
    const signal = 'signal' in this.where ? this.where.signal : undefined;
    return forEachYielding(org, rows, (row) => {
      if (signal?.aborted) throw signal.reason as Error;
      take(row);
    });
  }

  async #withClient(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    if ('signal' in this.where) return withCancellableClient(this.where, work);
    const client = await this.where.pool.connect();
    let broken: Error | undefined;
    try {
      await work(client);
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
