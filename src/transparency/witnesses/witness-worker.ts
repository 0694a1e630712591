import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundWork } from '../../platform/concurrency/long-work.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Cosignatures } from './cosignatures.js';
import { Cosigner, NotCosigned } from './cosigner.js';
import { Witnesses, type Witness } from './witnesses.js';

const EVERY_MS = 1_000;
/** Interval of looking for older checkpoints too. */
const THOROUGH_EVERY_MS = 60_000;
const SHORTEST_BREAK_MS = 1_000;
const LONGEST_BREAK_MS = 300_000;
const AFTER_FAILURE_MS = 5_000;
/** Pause after a refusal; the witness is asked for other organizations meanwhile. */
const AFTER_REFUSAL_SECONDS = 60;

/**
 * Asks every witness for cosignatures of the newest checkpoints, in a process with the role `projections`.
 * Each witness has a loop of its own, so that a slow one delays nobody; nothing waits for any of them.
 */
@Injectable()
export class WitnessWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stopping = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly background: BackgroundWork,
    private readonly witnesses: Witnesses,
    private readonly cosignatures: Cosignatures,
    private readonly cosigner: Cosigner,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.roles.has('projections')) this.background.register(() => this.start());
  }

  private start(): void {
    this.#running = Promise.all([
      this.forgetOthers(),
      ...this.witnesses.all.map((witness) => this.follow(witness)),
    ]);
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  private async forgetOthers(): Promise<void> {
    try {
      await this.cosignatures.keepFaultsOf(this.witnesses.all.map(({ id }) => id));
    } catch (err) {
      this.log.warn({ err }, 'Faults of removed witnesses could not be deleted.');
    }
  }

  private async follow(witness: Witness): Promise<void> {
    const { signal } = this.#stopping;
    let [thoroughAt, rest] = [0, SHORTEST_BREAK_MS];
    while (!signal.aborted) {
      let pause = EVERY_MS;
      const isThorough = performance.now() >= thoroughAt;
      try {
        if (await this.ask(witness, isThorough)) {
          rest = SHORTEST_BREAK_MS;
          if (isThorough) thoroughAt = performance.now() + THOROUGH_EVERY_MS;
        } else {
          pause = rest;
          rest = Math.min(2 * rest, LONGEST_BREAK_MS);
          thoroughAt = 0;
        }
      } catch (err) {
        pause = AFTER_FAILURE_MS;
        if (!signal.aborted) this.log.error({ err }, 'A request to a witness failed and is retried.');
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns false when the witness does not answer, so that its loop pauses */
  private async ask(witness: Witness, isThorough: boolean): Promise<boolean> {
    const { signal } = this.#stopping;
    for (const kept of await this.cosignatures.missing(witness.id, isThorough)) {
      if (signal.aborted) return true;
      try {
        await this.cosigner.cosign(witness, kept, signal);
        await this.cosignatures.clearFault(kept.org, witness.id);
      } catch (err) {
        if (!(err instanceof NotCosigned)) throw err;
        if (signal.aborted) return true;
        const isFirstReport = await this.cosignatures.setFault(
          kept.org,
          witness.id,
          err.message,
          err.isAway ? 0 : AFTER_REFUSAL_SECONDS,
        );
        if (isFirstReport) this.log.warn({ org: kept.org, witness: witness.id }, err.message);
        if (err.isAway) return false;
      }
    }
    return true;
  }
}
