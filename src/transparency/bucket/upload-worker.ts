import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { toWireId, type Uuid } from '../../kernel/ids.js';
import { BackgroundWork } from '../../platform/concurrency/long-work.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { filesOf } from '../checkpoint-rows.js';
import { Bucket, NotUploaded } from './bucket.js';
import { Uploads } from './uploads.js';

const EVERY_MS = 1_000;
const AFTER_FAILURE_MS = 10_000;
/** Interval of looking for older checkpoints too. */
const THOROUGH_EVERY_MS = 60_000;

/**
 * Uploads checkpoints to the bucket, each organization's in order, in a process with the role `projections`.
 */
@Injectable()
export class UploadWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stopping = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly log: Logger,
    private readonly background: BackgroundWork,
    private readonly bucket: Bucket,
    private readonly uploads: Uploads,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.roles.has('projections'))
      this.background.register(() => void (this.#running = this.run()));
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  private async run(): Promise<void> {
    const { signal } = this.#stopping;
    const url = this.bucket.setting?.url;
    let thoroughAt = 0;
    for (let isFirst = true; !signal.aborted && (isFirst || url !== undefined);) {
      let pause = EVERY_MS;
      try {
        if (isFirst) await this.uploads.keepFaultsOf(url);
        isFirst = false;
        const isThorough = performance.now() >= thoroughAt;
        if (url !== undefined && (await this.uploadDue(url, isThorough))) {
          if (isThorough) thoroughAt = performance.now() + THOROUGH_EVERY_MS;
        } else {
          thoroughAt = 0;
          pause = AFTER_FAILURE_MS;
        }
      } catch (err) {
        pause = AFTER_FAILURE_MS;
        if (!signal.aborted)
          this.log.error({ err }, 'Checkpoints could not be uploaded. The worker retries.');
      }
      if (url !== undefined) await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns false when the bucket accepts nothing, so that the worker pauses */
  private async uploadDue(url: string, isThorough: boolean): Promise<boolean> {
    const { signal } = this.#stopping;
    for (const org of await this.uploads.due(url, isThorough)) {
      if (signal.aborted) return true;
      try {
        await this.upload(url, org);
      } catch (err) {
        if (!(err instanceof NotUploaded)) throw err;
        if (signal.aborted) return true;
        await this.uploads.setFault(url, org, err.message);
        this.log.warn({ org }, err.message);
        if (err.isUnavailable) return false;
      }
    }
    return true;
  }

  private async upload(url: string, org: Uuid): Promise<void> {
    const { progress, checkpoints } = await this.uploads.next(url, org);
    for (const kept of checkpoints) {
      const isUnsent = kept.number !== progress.number;
      for (const { name, text, cosignatures } of filesOf(kept)) {
        if (!isUnsent && cosignatures <= progress.cosignatures) continue;
        await this.bucket.put(`${toWireId('org', org)}/${name}`, text, this.#stopping.signal);
      }
      await this.uploads.uploaded(url, kept);
    }
  }
}
