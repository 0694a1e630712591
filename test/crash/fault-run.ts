import type { Pool } from 'pg';
import { PROJECTIONS } from '../../projections/registry.js';
import { listParkedStreams } from '../../projections/runtime/parked-streams.js';
import { ProjectionProgress } from '../../projections/runtime/progress.js';
import { createPool } from '../../src/platform/database/pg-pool.js';
import { PostgresEventStore } from '../../src/platform/eventsourcing/store/postgres/postgres-event-store.js';
import { withUpcasters } from '../../src/platform/eventsourcing/store/upcasting-event-store.js';
import { UPCASTERS } from '../../src/upcasters.js';
import { freshFold, storedRows } from '../projections/runtime/fresh-fold.js';
import { PATIENCE_MS } from '../support/until.js';
import { Crowd } from './crowd.js';
import type { Fault } from './faults.js';
import { startPostgresInHand, type PostgresInHand } from './postgres-in-hand.js';

const PROCESSES = 3;

export interface AfterFault {
  /** Number of subscriptions acknowledged in this run so far. */
  readonly acknowledged: number;
  /** Problems found, one sentence each; empty when there is none. */
  readonly wrong: readonly string[];
}

/**
 * Run of several processes on one PostgreSQL. Faults are applied one after the other, while customers subscribe, send
 * usage and cancel, and the clock moves.
 */
export class FaultRun {
  private constructor(
    private readonly postgres: PostgresInHand,
    private readonly pool: Pool,
    private readonly crowd: Crowd,
  ) {}

  static async start(): Promise<FaultRun> {
    const postgres = await startPostgresInHand();
    const pool = createPool(postgres.url, () => undefined);
    const crowd = new Crowd(postgres.url, pool);
    await crowd.start(PROCESSES);
    await crowd.ready();
    return new FaultRun(postgres, pool, crowd);
  }

  get databaseUrl(): string {
    return this.postgres.url;
  }

  /** Applies a fault under load. Then compares the read models at the head of the log with a fresh fold. */
  async suffer(fault: Fault): Promise<AfterFault> {
    const { crowd, postgres, pool } = this;
    crowd.beginLoad();
    await crowd.progress(5);
    await fault(crowd, postgres, pool);
    await crowd.ready();
    await crowd.progress(5);
    await crowd.endLoad();
    return { acknowledged: crowd.acknowledged.length, wrong: await this.#wrong() };
  }

  /** Ends the processes and keeps the database. */
  endProcesses(): Promise<void> {
    return this.crowd.stop();
  }

  async stop(): Promise<void> {
    await this.crowd.stop();
    await this.pool.end();
    await this.postgres.stop();
  }

  async #wrong(): Promise<string[]> {
    const { pool } = this;
    const wrong: string[] = [];
    const store = withUpcasters(new PostgresEventStore(pool), UPCASTERS);
    const head = (await store.head())!;
    if (!(await new ProjectionProgress(pool, PROJECTIONS).waitFor(head, PATIENCE_MS)))
      wrong.push('The read models do not reach the head.');
    for (const projection of PROJECTIONS) {
      const [stored, folded] = [await storedRows(projection, pool), await freshFold(projection, store)];
      for (const table of Object.keys(projection.tables)) {
        const [is, must] = [canonical(stored[table]!), canonical(folded[table]!)];
        const shown = new Set(is);
        const missing = must.filter((row) => !shown.has(row));
        if (missing.length > 0 || is.length !== must.length)
          wrong.push(`${table}: ${is.length} rows, must be ${must.length}; such as ${missing[0]}`);
      }
    }
    for (const { projection, stream } of await listParkedStreams(pool))
      wrong.push(`${projection} has parked ${stream}.`);
    const { rows } = await pool.query<{ count: string }>('select count(*) from subscriptions');
    if (Number(rows[0]!.count) < this.crowd.acknowledged.length)
      wrong.push(
        `${rows[0]!.count} subscriptions are shown, ${this.crowd.acknowledged.length} were acknowledged.`,
      );
    const { rows: billed } = await pool.query<{ count: string }>(
      'select count(distinct customer_key) from invoices',
    );
    if (Number(billed[0]!.count) < this.crowd.acknowledged.length)
      wrong.push(
        `${billed[0]!.count} customers have invoices, ${this.crowd.acknowledged.length} have subscribed.`,
      );
    await store.close();
    return wrong;
  }
}

/** Returns rows as JSON with sorted keys, as the order of the fields in a column has no meaning. */
const canonical = (rows: readonly unknown[]): string[] =>
  rows.map((row) =>
    JSON.stringify(row, (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
  );
