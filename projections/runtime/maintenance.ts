import type { Database } from '../../src/platform/database/open-database.js';
import type {
  ParkedStream,
  ReadModelMaintenance,
  ReadModelMismatch,
} from '../../src/platform/eventsourcing/read-models.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import { compareWithLog, saidOfDifference } from './compare-with-log.js';
import { createReadModels } from './create-read-models.js';
import { askForRetry, listParkedStreams } from './parked-streams.js';
import type { Projection } from './projection.js';
import { rebuild } from './rebuild.js';

/** Implements what operators do to the projections: the commands of `recount projections` and the doctor. */
export class ProjectionMaintenance implements ReadModelMaintenance {
  constructor(
    private readonly store: EventStore,
    private readonly database: Database,
    private readonly projections: readonly Projection[],
  ) {}

  async differences(): Promise<ReadModelMismatch[]> {
    const { store, projections } = this;
    const found = await this.database.withoutLimit((pool) => compareWithLog({ store, pool }, projections));
    return found.map((one) => ({
      projection: one.projection,
      table: one.table,
      org: one.org,
      description: saidOfDifference(one),
    }));
  }

  parkedStreams(): Promise<readonly ParkedStream[]> {
    return listParkedStreams(this.database.pool);
  }

  retryParked(name: string): Promise<number> {
    return askForRetry(this.database.pool, name);
  }

  async *rebuild(name: string): AsyncGenerator<string, boolean> {
    const { pool } = this.database;
    const projection = this.projections.find((one) => one.name === name);
    if (!projection) throw new Error(`There is no projection ${name}.`);
    await createReadModels(pool, [projection]);
    return yield* rebuild({ store: this.store, pool }, projection);
  }
}
