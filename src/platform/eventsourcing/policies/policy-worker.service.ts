import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors.js';
import type { Uuid } from '../../../kernel/ids.js';
import { BackgroundWork } from '../../concurrency/background-work.js';
import { Database } from '../../database/open-database.js';
import { EVENT_STORE, type EventStore } from '../store/event-store.js';
import { LOGGER, type Logger } from '../../telemetry/logger.js';
import { PolicyCheckpoint } from './policy-checkpoint.js';
import { PolicyWorker } from './policy-worker.js';
import { Policies } from './policies.js';

/** About 2.5 seconds, pauses included. */
const RETRIES = 7;
const FIRST_RETRY_MS = 20;

/** Runs the policy worker in a process with the role `scheduler`, from start to stop. */
@Injectable()
export class PolicyWorkerService implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #worker: PolicyWorker;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(LOGGER) private readonly log: Logger,
    policies: Policies,
    database: Database,
    private readonly background: BackgroundWork,
  ) {
    this.#worker = new PolicyWorker(store, policies, new PolicyCheckpoint(database.pool), log);
  }

  onApplicationBootstrap(): void {
    this.background.register('scheduler', () => this.#worker.start());
  }

  /**
   * Runs the policies of an organization that have not run, before its manual clock moves. Repeats those that fail, as
   * requests under way change the same streams.
   * @throws DomainError `unavailable` while a policy goes on failing
   */
  async catchUp(org: Uuid): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#worker.catchUp(org);
      } catch (err) {
        if (attempt < RETRIES) await sleep(FIRST_RETRY_MS * 2 ** attempt);
        else throw this.#undone(err);
      }
    }
  }

  #undone(err: unknown): DomainError {
    this.log.warn({ err }, 'A policy failed before an advance of the clock. The policy worker repeats it.');
    const detail = 'What follows from earlier requests is not done yet. Try again in a moment.';
    return new DomainError('unavailable', detail);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#worker.stop();
  }
}
