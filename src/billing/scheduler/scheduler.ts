import { Inject, Injectable } from '@nestjs/common';
import { MINUTE, plusMicros, type Instant } from '../../kernel/instant.js';
import { repeat } from '../../platform/concurrency/background-work.js';
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

  private run(stopping: AbortSignal): Promise<void> {
    let nextLateUsageScan: Instant | undefined;
    const sweep = async (): Promise<number> => {
      const { latest: now } = await this.clock.all();
      const withLate = nextLateUsageScan === undefined || now >= nextLateUsageScan;
      await this.sweeper.sweep(now, withLate);
      if (withLate) nextLateUsageScan = plusMicros(now, LATE_EVERY);
      return EVERY_MS;
    };
    return repeat(stopping, sweep, (err) => {
      this.log.error({ err }, 'A sweep failed. The scheduler tries again.');
      return AFTER_FAILURE_MS;
    });
  }
}
