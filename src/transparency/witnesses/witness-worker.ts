import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundWork, repeat } from '../../platform/concurrency/background-work.js';
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
export class WitnessWorker implements OnApplicationBootstrap {
  constructor(
    @Inject(LOGGER) private readonly log: Logger,
    private readonly background: BackgroundWork,
    private readonly witnesses: Witnesses,
    private readonly cosignatures: Cosignatures,
    private readonly cosigner: Cosigner,
  ) {}

  onApplicationBootstrap(): void {
    this.background.register('projections', (stopping) =>
      Promise.all([
        this.forgetOthers(),
        ...this.witnesses.all.map((witness) => this.follow(witness, stopping)),
      ]),
    );
  }

  private async forgetOthers(): Promise<void> {
    try {
      await this.cosignatures.keepFaultsOf(this.witnesses.all.map(({ id }) => id));
    } catch (err) {
      this.log.warn({ err }, 'Faults of removed witnesses could not be deleted.');
    }
  }

  private follow(witness: Witness, stopping: AbortSignal): Promise<void> {
    let [thoroughAt, rest] = [0, SHORTEST_BREAK_MS];
    const ask = async (): Promise<number> => {
      const isThorough = performance.now() >= thoroughAt;
      if (await this.ask(witness, isThorough, stopping)) {
        rest = SHORTEST_BREAK_MS;
        if (isThorough) thoroughAt = performance.now() + THOROUGH_EVERY_MS;
        return EVERY_MS;
      }
      const pause = rest;
      rest = Math.min(2 * rest, LONGEST_BREAK_MS);
      thoroughAt = 0;
      return pause;
    };
    return repeat(stopping, ask, (err) => {
      this.log.error({ err }, 'A request to a witness failed and is retried.');
      return AFTER_FAILURE_MS;
    });
  }

  /** @returns false when the witness does not answer, so that its loop pauses */
  private async ask(witness: Witness, isThorough: boolean, stopping: AbortSignal): Promise<boolean> {
    for (const kept of await this.cosignatures.missing(witness.id, isThorough)) {
      if (stopping.aborted) return true;
      try {
        await this.cosigner.cosign(witness, kept, stopping);
        await this.cosignatures.clearFault(kept.org, witness.id);
      } catch (err) {
        if (!(err instanceof NotCosigned)) throw err;
        if (stopping.aborted) return true;
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
