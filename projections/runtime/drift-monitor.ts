import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { comparePositions, type Position } from '../../src/kernel/event.js';
import { inTransaction, type Database } from '../../src/platform/database/open-database.js';
import { EVERY_ORGANIZATION } from '../../src/platform/eventsourcing/read-models.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { Logger } from '../../src/platform/telemetry/logger.js';
import { compareSumsWithLog, type ReadModelDifference } from './compare-with-log.js';
import { compareWithSums, correctSums } from './running-sums.js';
import { Leases } from './leases.js';
import type { Projection } from './projection.js';

/**
 * Shortest time between two comparisons, and before the first one. A comparison reads every row; one with a fold of the
 * log also reads the whole log.
 */
export interface DriftTimes {
  /** Interval while no event is appended. */
  readonly idleMs: number;
  /** Interval while events are appended. */
  readonly busyMs: number;
  /** Interval of comparisons with a fold of the log, while the rows have their running sums. */
  readonly foldMs: number;
}

type SumDifference = Omit<ReadModelDifference, 'version'> & {
  /** Undefined for sums: they have no builds. */
  readonly version?: number;
};
type NamedBuild = Pick<ReadModelDifference, 'projection' | 'version'>;

const TIMES: DriftTimes = { idleMs: 5_000, busyMs: 60_000, foldMs: 600_000 };
/** Limits comparisons to a twentieth of the time. */
const SHARE = 20;
const LEASE = 'compare read models';
/** Failures in a row that readiness reports. A single one may be that of a connection. */
const MAX_FAILURES = 2;

/**
 * Compares the read models periodically, in one process at a time: mostly with their running sums, and with a fold of the
 * log where these differ, and from time to time. It stores the tables that differ from the log, which readiness and
 * metrics of every process report.
 */
export class DriftMonitor {
  readonly #stopping = new AbortController();
  readonly #leases: Leases;
  #running: Promise<void> | undefined;
  /** Time of the last fold of the log, and how long it took; undefined while read models differ. */
  #folded: { readonly at: number; readonly duration: number } | undefined;
  /** Numbers of the builds that this process has compared, by projection. */
  readonly #own = new Map<string, number>();
  /** Comparisons in a row that failed. */
  #failures = 0;

  constructor(
    private readonly store: EventStore,
    private readonly database: Pick<Database, 'pool' | 'withoutLimit'>,
    private readonly projections: readonly Projection[],
    private readonly logger: Logger,
    private readonly times: DriftTimes = TIMES,
    /** Compares the sums that are derived from other tables than the log. */
    private readonly compareSums: (pool: pg.Pool) => Promise<readonly SumDifference[]> = async () => [],
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

  /** Returns why the read models are not compared, in a sentence without data; undefined while they are. */
  get trouble(): string | undefined {
    return this.#failures < MAX_FAILURES ? undefined : 'The read models cannot be compared with the log.';
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { idleMs, busyMs } = this.times;
    let [comparedAt, duration] = [performance.now(), 0];
    let head: Position | undefined;
    for (;;) {
      await sleep(Math.max(idleMs, duration * SHARE), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const [former, now] = [head, await this.store.head()];
        head = now;
        const isIdle = former && now ? comparePositions(former, now) === 0 : former === now;
        if (!isIdle && performance.now() - comparedAt < busyMs) continue;
        const began = performance.now();
        const acquired = await this.#leases.acquire([LEASE]);
        if (acquired.has(LEASE)) await this.#compareCheaply();
        comparedAt = performance.now();
        duration = comparedAt - began;
        this.#failures = 0;
      } catch (err) {
        this.#failures += 1;
        if (!signal.aborted) this.logger.warn({ err }, 'The read models could not be compared with the log.');
      }
    }
  }

  /** Compares with the log only if it is time, or if running sums differ. */
  async #compareCheaply(): Promise<void> {
    const { foldMs } = this.times;
    const folded = this.#folded;
    const isTime = !folded || performance.now() - folded.at >= Math.max(foldMs, folded.duration * SHARE);
    if (isTime || (await this.database.withoutLimit((pool) => this.#hasDifferences(pool))))
      await this.compare();
  }

  async #hasDifferences(pool: pg.Pool): Promise<boolean> {
    const { differing, faults, foreign } = await compareWithSums(
      { store: this.store, pool },
      this.projections,
    );
    const found = [...differing, ...faults, ...foreign];
    return found.length > 0 || (await this.compareSums(pool)).length > 0;
  }

  /**
   * Compares once with a fold of the log and stores the tables that differ. A build of another version that became live is
   * left to the processes of that version. A build that this process has compared as its own keeps its version: if the
   * checkpoint says another one, somebody has changed it.
   */
  async compare(): Promise<readonly SumDifference[]> {
    const { signal } = this.#stopping;
    const began = performance.now();
    return this.database.withoutLimit(async (pool) => {
      const stores = { store: this.store, pool };
      const { compared, foreign, ...found } = await compareSumsWithLog(stores, this.projections, { signal });
      for (const { name, version } of compared) this.#own.set(name, version);
      const isOwn = ({ projection, version }: NamedBuild) => this.#own.get(projection) === version;
      const others = foreign.filter((build) => !isOwn(build)).map(({ projection }) => projection);
      const sums = await this.compareSums(pool);
      const differences: SumDifference[] = [...foreign.filter(isOwn), ...found.differences, ...sums];
      await inTransaction(pool, async (client) => {
        // Two comparisons may end at the same time. Readers are not blocked.
        await client.query('lock table read_model_differences in share row exclusive mode');
        await client.query('delete from read_model_differences where projection <> all($1)', [others]);
        await client.query(
          `insert into read_model_differences (projection, version, table_name, org, rows, expected)
           select distinct on (projection, version, "table", org) projection, coalesce(version, 0) as version, "table", coalesce(org, $2) as org, rows, expected
           from jsonb_to_recordset($1::jsonb)
             as d (projection text, version int, "table" text, org uuid, rows bigint, expected bigint)`,
          [JSON.stringify(differences), EVERY_ORGANIZATION],
        );
      });
      await correctSums(pool, found.corrections);
      if (others.length > 0) await this.#leases.release([LEASE]);
      const [at, isSame] = [performance.now(), differences.length === 0];
      this.#folded = isSame ? { at, duration: at - began } : undefined;
      for (const { projection, table, org, rows, expected, reason } of differences) {
        this.logger.error(
          { projection, table, org, rows, expected, reason },
          'A read model differs from the log.',
        );
      }
      return differences;
    });
  }
}
