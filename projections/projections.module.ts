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
import { EVENT_STORE, type EventStore } from '../src/platform/event-store/event-store.js';
import { READ_MODELS } from '../src/platform/http/read-models.js';
import { LOGGER, type Logger } from '../src/platform/telemetry/logger.js';
import { PROJECTIONS } from './registry.js';
import { ProjectionProgress } from './runtime/progress.js';
import { ProjectionHost } from './runtime/projection-host.js';

/** Runs the projections in a process with that role; requests are over when it stops. */
@Injectable()
class RunningProjections implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #host: ProjectionHost | undefined;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(LOGGER) logger: Logger,
    database: Database,
    progress: ProjectionProgress,
  ) {
    if (config.roles.has('projections')) {
      this.#host = new ProjectionHost(store, database.pool, PROJECTIONS, progress, logger);
    }
  }

  onApplicationBootstrap(): void {
    this.#host?.start();
  }

  async onApplicationShutdown(): Promise<void> {
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
    { provide: READ_MODELS, useExisting: ProjectionProgress },
  ],
  exports: [ProjectionProgress, READ_MODELS],
})
export class ProjectionsModule {}
