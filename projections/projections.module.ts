import {
  Global,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CONFIG, type Config } from '../src/platform/config/config.js';
import { Database } from '../src/platform/database/open-database.js';
import { EVENT_STORE, type EventStore } from '../src/platform/eventsourcing/store/event-store.js';
import { READ_MODEL_MAINTENANCE, READ_MODELS, READINESS } from '../src/platform/eventsourcing/read-models.js';
import { LOGGER, type Logger } from '../src/platform/telemetry/logger.js';
import { METER, type Meter } from '../src/platform/telemetry/meter.js';
import { PROJECTIONS } from './registry.js';
import { LagWatch } from './runtime/lag-watch.js';
import { ProjectionMaintenance } from './runtime/maintenance.js';
import { ProjectionProgress } from './runtime/progress.js';
import { ProjectionHost } from './runtime/projection-host.js';
import { ReadModelWatch } from './runtime/read-model-watch.js';

/** Runs the projections in a process with that role; requests are over when it stops. */
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
    private readonly lag: LagWatch,
    private readonly watch: ReadModelWatch,
  ) {
    if (config.roles.has('projections')) {
      this.#host = new ProjectionHost(store, database.pool, PROJECTIONS, progress, logger, meter);
    }
  }

  onApplicationBootstrap(): void {
    this.#host?.start();
    if (this.#host) this.watch.start();
    if (this.config.roles.size > 0) this.lag.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.lag.stop();
    await this.watch.stop();
    await this.#host?.stop();
  }
}

/** The read models, and how far they are in whichever process runs them. */
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
      provide: LagWatch,
      useFactory: (store: EventStore, progress: ProjectionProgress) => new LagWatch(store, progress),
      inject: [EVENT_STORE, ProjectionProgress],
    },
    {
      provide: ReadModelWatch,
      useFactory: (store: EventStore, database: Database, logger: Logger) =>
        new ReadModelWatch(store, database, PROJECTIONS, logger),
      inject: [EVENT_STORE, Database, LOGGER],
    },
    {
      provide: READ_MODEL_MAINTENANCE,
      useFactory: (store: EventStore, database: Database) =>
        new ProjectionMaintenance(store, database, PROJECTIONS),
      inject: [EVENT_STORE, Database],
    },
    { provide: READ_MODELS, useExisting: ProjectionProgress },
    { provide: READINESS, useExisting: LagWatch },
  ],
  exports: [READ_MODELS, READ_MODEL_MAINTENANCE, READINESS],
})
export class ProjectionsModule {}
