import { createReadModels } from '../../../projections/runtime/read-model-tables.js';
import { ProjectionProgress } from '../../../projections/runtime/progress.js';
import type { Projection } from '../../../projections/runtime/projection.js';
import { ProjectionHost } from '../../../projections/runtime/projection-host.js';
import type { EventStore } from '../../../src/platform/eventsourcing/store/event-store.js';
import { InMemoryEventStore } from '../../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.js';
import { PATIENCE_MS, until } from '../../support/until.js';
import { RecordedLog } from './recorded-log.js';
import { append, HISTORY, WALLETS, type Move } from './wallets.js';

/** Projections of one process, started. */
export interface Running {
  readonly host: ProjectionHost;
  readonly progress: ProjectionProgress;
  readonly log: RecordedLog;
}

/** Further move of the wallet that the sample history leaves open. */
export const MOVE: Extract<Move, { type: 'Moved' }> = {
  type: 'Moved',
  wallet: WALLETS[1]!,
  amount: 11,
  by: 'bo',
};

/** Projection hosts of several processes on one database. */
export class Hosts {
  private readonly running: ProjectionHost[] = [];

  private constructor(readonly database: TestDatabase) {}

  static async open(): Promise<Hosts> {
    return new Hosts(await createTestDatabase());
  }

  async start(store: EventStore, projections: Projection[], pool = this.database.pool): Promise<Running> {
    await createReadModels(pool, projections);
    const progress = new ProjectionProgress(pool, projections);
    const log = new RecordedLog();
    const host = new ProjectionHost(store, pool, pool, projections, progress, log);
    this.running.push(host);
    host.start();
    return { host, progress, log };
  }

  async stopAll(): Promise<void> {
    for (const host of this.running.splice(0)) await host.stop();
  }

  /** Returns the tables of every build of the projection with this suffix. */
  async tablesOf(suffix: string): Promise<string[]> {
    const { rows } = await this.database.pool.query<{ relname: string }>(
      `select relname from pg_class where relkind = 'r' and relname ~ $1 order by 1`,
      [`_${suffix}_v`],
    );
    return rows.map(({ relname }) => relname);
  }
}

/** Store whose first reading breaks off after some events. */
export class BreakingStore extends InMemoryEventStore {
  breakAfter = Infinity;

  override async *readAll(
    ...args: Parameters<EventStore['readAll']>
  ): ReturnType<InMemoryEventStore['readAll']> {
    for await (const event of super.readAll(...args)) {
      if ((this.breakAfter -= 1) < 0) throw new Error('the log is away');
      yield event;
    }
  }
}

export async function sampleStore(): Promise<InMemoryEventStore> {
  const store = new InMemoryEventStore();
  await append(store, ...HISTORY);
  return store;
}

export const caughtUp = async (progress: ProjectionProgress, store: EventStore): Promise<boolean> =>
  progress.waitFor((await store.head())!, PATIENCE_MS);

/** Waits until a projection has stopped and returns the reason. */
export const whyStopped = (progress: ProjectionProgress, name: string): Promise<string> =>
  until(async () => (await progress.status()).find((one) => one.projection === name)?.stopped);
