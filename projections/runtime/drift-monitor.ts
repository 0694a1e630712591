import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction } from '../../src/platform/database/transaction.js';
import type { Database } from '../../src/platform/database/open-database.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { Logger } from '../../src/platform/telemetry/logger.js';
import { compareWithLog, type ReadModelDifference } from './compare-with-log.js';
import { Leases } from './leases.js';
import type { Projection } from './projection.js';

/** After a start, and between two comparisons at least. */
const PAUSE_MS = 60_000;
/** A comparison reads the whole log: it runs a twentieth of the time. */
const SHARE = 20;
const LEASE = 'compare read models';

/**
 * Compares the read models with the log again and again, in one process at a time, and notes what differs where every
 * process looks for its readiness and its metrics.
 */
export class ReadModelWatch {
  readonly #stopping = new AbortController();
  readonly #leases: Leases;
  #running: Promise<void> | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly database: Database,
    private readonly projections: readonly Projection[],
    private readonly logger: Logger,
  ) {
    this.#leases = new Leases(database.pool);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#leases.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let pause = PAUSE_MS; ;) {
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const began = performance.now();
      try {
        const taken = await this.#leases.take([LEASE]);
        if (taken.has(LEASE)) await this.compare();
      } catch (err) {
        if (!signal.aborted) this.logger.warn({ err }, 'The read models could not be compared with the log.');
      }
      pause = Math.max(PAUSE_MS, (performance.now() - began) * SHARE);
    }
  }

  /** Compares once, and notes what differs. */
  async compare(): Promise<readonly ReadModelDifference[]> {
    const { signal } = this.#stopping;
    return this.database.withoutLimit(async (pool) => {
      const differences = await compareWithLog({ store: this.store, pool }, this.projections, { signal });
      await inTransaction(pool, async (client) => {
        await client.query('delete from read_model_differences');
        await client.query(
          `insert into read_model_differences (projection, version, table_name, org, rows, expected)
           select projection, version, "table", org, rows, expected from jsonb_to_recordset($1::jsonb)
             as d (projection text, version int, "table" text, org uuid, rows bigint, expected bigint)`,
          [JSON.stringify(differences)],
        );
      });
      for (const { projection, table, org, rows, expected } of differences) {
        this.logger.error(
          { projection, table, org, rows, expected },
          'A read model is not what the log says.',
        );
      }
      return differences;
    });
  }
}
