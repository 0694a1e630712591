import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundWork } from '../platform/concurrency/long-work.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { LOGGER, type Logger } from '../platform/telemetry/logger.js';
import { UsageDays } from './usage-days.js';

const EVERY_MS = 2_000;
const AFTER_FAILURE_MS = 10_000;
const BATCHES_AT_ONCE = 1_000;

/** Keeps usage added up by day, in a process with the role `projections`. */
@Injectable()
export class UsageDaysWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly background: BackgroundWork,
    private readonly days: UsageDays,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.roles.has('projections')) return;
    this.background.register(() => {
      this.#running = this.run();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  private async run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let pause = EVERY_MS;
      try {
        const began = performance.now();
        const taken = await this.days.add(BATCHES_AT_ONCE);
        // It catches up with half of a processor at most.
        if (taken === BATCHES_AT_ONCE) pause = performance.now() - began;
      } catch (err) {
        pause = AFTER_FAILURE_MS;
        if (!signal.aborted)
          this.log.warn({ err }, 'Usage could not be added up by day. The worker tries again.');
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}
