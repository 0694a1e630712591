import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundWork } from '../../concurrency/background-work.js';
import { CONFIG, type Config } from '../../config/config.js';
import { Database } from '../../database/open-database.js';
import { EVENT_STORE, type EventStore } from '../store/event-store.js';
import { LOGGER, type Logger } from '../../telemetry/logger.js';
import { PolicyCheckpoint } from './policy-checkpoint.js';
import { PolicyWorker } from './policy-worker.js';
import { Policies } from './policies.js';

/** Runs the policy worker in a process with the role `scheduler`, from start to stop. */
@Injectable()
export class PolicyWorkerService implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #worker: PolicyWorker;
  readonly #isScheduler: boolean;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(LOGGER) logger: Logger,
    policies: Policies,
    database: Database,
    private readonly background: BackgroundWork,
  ) {
    this.#isScheduler = config.roles.has('scheduler');
    this.#worker = new PolicyWorker(store, policies, new PolicyCheckpoint(database.pool), logger);
  }

  onApplicationBootstrap(): void {
    if (this.#isScheduler) this.background.register(() => this.#worker.start());
  }

  /** Runs all policies that have not run. */
  async catchUp(): Promise<void> {
    await this.#worker.catchUp();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#worker.stop();
  }
}
