import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundWork, repeat } from '../platform/concurrency/background-work.js';
import { LOGGER, type Logger } from '../platform/telemetry/logger.js';
import { UsageDays } from './usage-days.js';

const EVERY_MS = 2_000;
const AFTER_FAILURE_MS = 10_000;
const BATCHES_AT_ONCE = 1_000;

/** Keeps usage added up by day, in a process with the role `projections`. */
@Injectable()
export class UsageDaysWorker implements OnApplicationBootstrap {
  constructor(
    @Inject(LOGGER) private readonly log: Logger,
    private readonly background: BackgroundWork,
    private readonly days: UsageDays,
  ) {}

  onApplicationBootstrap(): void {
    this.background.register('projections', (stopping) => this.run(stopping));
  }

  private run(stopping: AbortSignal): Promise<void> {
    const addUp = async (): Promise<number> => {
      const began = performance.now();
      const taken = await this.days.add(BATCHES_AT_ONCE);
      // Uses at most half of a processor while it catches up.
      return taken === BATCHES_AT_ONCE ? performance.now() - began : EVERY_MS;
    };
    return repeat(stopping, addUp, (err) => {
      this.log.warn({ err }, 'Usage could not be added up by day. The worker tries again.');
      return AFTER_FAILURE_MS;
    });
  }
}
