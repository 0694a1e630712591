import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { MINUTE, plusMicros, type Instant } from '../../kernel/instant.js';
import { CLOCK, type ServiceClock } from '../../platform/clock/clock.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { BillingSweep } from './billing-sweep.js';

const EVERY_MS = 1_000;
const AFTER_FAILURE_MS = 10_000;
/** Interval of late usage scans: late usage is billed within the hour. */
const LATE_EVERY = 10n * MINUTE;

/** Sweeps again and again on the machine's clock. With a manual clock it is not started: `advance` does its work. */
@Injectable()
export class Scheduler {
  #stopping: AbortController | undefined;
  #loop: Promise<void> | undefined;

  constructor(
    private readonly sweeper: BillingSweep,
    @Inject(CLOCK) private readonly clock: ServiceClock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  start(): void {
    this.#stopping = new AbortController();
    this.#loop = this.run(this.#stopping.signal);
  }

  /** Stops after the sweep under way. */
  async stop(): Promise<void> {
    this.#stopping?.abort();
    await this.#loop;
  }

  private async run(signal: AbortSignal): Promise<void> {
    let lookForLateAt: Instant | undefined;
    while (!signal.aborted) {
      let pause = EVERY_MS;
      try {
        const { latest: now } = await this.clock.all();
        const withLate = lookForLateAt === undefined || now >= lookForLateAt;
        await this.sweeper.sweep(now, withLate);
        if (withLate) lookForLateAt = plusMicros(now, LATE_EVERY);
      } catch (error) {
        pause = AFTER_FAILURE_MS;
        this.log.error({ err: error }, 'A sweep failed. The scheduler tries again.');
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}
