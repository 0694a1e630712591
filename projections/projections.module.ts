import {
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CONFIG, type Config } from '../src/platform/config/config.js';
import { type Migration, RELEASED_MIGRATIONS } from '../src/platform/database/migrations.js';
import { Database } from '../src/platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../src/platform/eventsourcing/store/event-store.js';
import {
  type ParkedStream,
  READ_MODEL_MAINTENANCE,
  READ_MODELS,
  READINESS,
  type ReadModelMaintenance,
  type ReadModelMismatch,
} from '../src/platform/eventsourcing/read-models.js';
import { describeUnreadable } from '../src/platform/eventsourcing/store/store-down.js';
import { inBackground } from '../src/platform/concurrency/long-work.js';
import { LOGGER, type Logger } from '../src/platform/telemetry/logger.js';
import { METER, type Meter } from '../src/platform/telemetry/meter.js';
import { PROJECTIONS } from './registry.js';
import { compareUsageSums, rebuildUsageSums, USAGE_SUMS } from './analytics/usage-sums.js';
import { ANALYTICS_VIEWS } from './analytics/views.js';
import { compareWithLog, describeDifference } from './runtime/compare-with-log.js';
import { READ_MODELS_AS_OF } from '../src/platform/as-of/read-models-as-of.js';
import { readModelsAsOf } from './as-of/past-tables.js';
import { createReadModels } from './runtime/read-model-tables.js';
import { createDerivedViews } from './runtime/derived-views.js';
import { LagMonitor } from './runtime/lag-monitor.js';
import { requestRetry, listParkedStreams } from './runtime/parked-streams.js';
import { ProjectionProgress } from './runtime/progress.js';
import { ProjectionHost } from './runtime/projection-host.js';
import type { Projection } from './runtime/projection.js';
import { DriftMonitor } from './runtime/drift-monitor.js';
import { compareSchema } from './runtime/release-schema.js';
import { rebuild } from './runtime/rebuild.js';

/**
 * Runs the projections in a process with the role `projections`. At shutdown it stops after the last request.
 */
@Injectable()
class RunningProjections implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #host: ProjectionHost | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(LOGGER) logger: Logger,
    @Inject(METER) meter: Meter,
    database: Database,
    progress: ProjectionProgress,
    private readonly lag: LagMonitor,
    private readonly watch: DriftMonitor,
  ) {
    if (config.roles.has('projections')) {
      const { pool, reserved } = database;
      this.#host = new ProjectionHost(store, pool, reserved.readModels, PROJECTIONS, progress, logger, meter);
    }
  }

  onApplicationBootstrap(): void {
    inBackground(() => {
      this.#host?.start();
      if (this.#host) this.watch.start();
      if (this.config.roles.size > 0) this.lag.start();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.lag.stop();
    await this.watch.stop();
    await this.#host?.stop();
  }
}

/** Tells which position the read models have reached, whichever process runs them. */
@Global()
@Module({
  providers: [
    RunningProjections,
    {
      provide: ProjectionProgress,
      useFactory: (database: Database) => new ProjectionProgress(database.pool, PROJECTIONS),
      inject: [Database],
    },
    {
      provide: LagMonitor,
      useFactory: (
        store: EventStore,
        progress: ProjectionProgress,
        database: Database,
        comparison: DriftMonitor,
      ) => new LagMonitor(store, progress, database, comparison),
      inject: [EVENT_STORE, ProjectionProgress, Database, DriftMonitor],
    },
    {
      provide: DriftMonitor,
      useFactory: (store: EventStore, database: Database, logger: Logger) =>
        new DriftMonitor(store, database, PROJECTIONS, logger, undefined, compareUsageSums),
      inject: [EVENT_STORE, Database, LOGGER],
    },
    {
      provide: READ_MODEL_MAINTENANCE,
      useFactory: (store: EventStore, database: Database, migrations: readonly Migration[]) =>
        new ProjectionMaintenance(store, database, PROJECTIONS, migrations),
      inject: [EVENT_STORE, Database, RELEASED_MIGRATIONS],
    },
    { provide: READ_MODELS_AS_OF, useValue: readModelsAsOf(PROJECTIONS, ANALYTICS_VIEWS) },
    { provide: READ_MODELS, useExisting: ProjectionProgress },
    { provide: READINESS, useExisting: LagMonitor },
  ],
  exports: [READ_MODELS, READ_MODELS_AS_OF, READ_MODEL_MAINTENANCE, READINESS],
})
export class ProjectionsModule {}

/** Describes sums that cannot be compared, so that the read models are. */
const unreadSums = (error: unknown): ReadModelMismatch[] => [
  { projection: USAGE_SUMS, table: 'usage_days', org: undefined, description: describeUnreadable(error) },
];

/** Implements `recount projections` and the doctor's checks of read models. */
class ProjectionMaintenance implements ReadModelMaintenance {
  constructor(
    private readonly store: EventStore,
    private readonly database: Database,
    private readonly projections: readonly Projection[],
    private readonly migrations: readonly Migration[],
  ) {}

  async schemaDifferences(): Promise<string[]> {
    const { projections, migrations } = this;
    return this.database.withoutLimit((pool) =>
      compareSchema(pool, { migrations, projections, views: ANALYTICS_VIEWS }),
    );
  }

  async differences(): Promise<ReadModelMismatch[]> {
    const { store, projections } = this;
    return this.database.withoutLimit(async (pool) => {
      const found = await compareWithLog({ store, pool }, projections);
      const differing = found.map((one) => ({
        projection: one.projection,
        table: one.table,
        org: one.org,
        description: describeDifference(one),
      }));
      return [...differing, ...(await compareUsageSums(pool).catch(unreadSums))];
    });
  }

  differingSums(): ReturnType<ReadModelMaintenance['differingSums']> {
    return this.database.withoutLimit(compareUsageSums);
  }

  parkedStreams(): Promise<readonly ParkedStream[]> {
    return listParkedStreams(this.database.pool);
  }

  retryParked(name: string): Promise<number> {
    return requestRetry(this.database.pool, name);
  }

  async *rebuild(name: string): AsyncGenerator<string, boolean> {
    if (name === USAGE_SUMS) return yield* rebuildUsageSums(this.database);
    const { pool } = this.database;
    const projection = this.projections.find((one) => one.name === name);
    if (!projection) throw new Error(`There is no projection ${name}.`);
    await createReadModels(pool, [projection]);
    const isSame = yield* rebuild({ store: this.store, pool }, projection);
    await this.restoreDerivedViews();
    return isSame;
  }

  /** Creates the views of reports. After a restore read models may be missing; the last one that is built succeeds. */
  private async restoreDerivedViews(): Promise<void> {
    const MISSING = ['42P01', '42703'];
    await createDerivedViews(this.database.pool, ANALYTICS_VIEWS).catch((error: unknown) => {
      if (!MISSING.includes((error as { code?: string }).code ?? '')) throw error;
    });
  }
}
