import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { toWireId, type Uuid } from '../../kernel/ids.js';
import { BackgroundWork, repeat } from '../../platform/concurrency/background-work.js';
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
export class UploadWorker implements OnApplicationBootstrap {
  constructor(
    @Inject(LOGGER) private readonly log: Logger,
    private readonly background: BackgroundWork,
    private readonly bucket: Bucket,
    private readonly uploads: Uploads,
  ) {}

  onApplicationBootstrap(): void {
    this.background.register('projections', (stopping) => this.run(stopping));
  }

  private run(stopping: AbortSignal): Promise<void> {
    const url = this.bucket.setting?.url;
    let isFirst = true;
    let thoroughAt = 0;
    const upload = async (): Promise<number | undefined> => {
      if (isFirst) await this.uploads.keepFaultsOf(url);
      isFirst = false;
      if (url === undefined) return undefined;
      const isThorough = performance.now() >= thoroughAt;
      const isAccepted = await this.uploadDue(url, isThorough, stopping);
      if (!isAccepted) thoroughAt = 0;
      else if (isThorough) thoroughAt = performance.now() + THOROUGH_EVERY_MS;
      return isAccepted ? EVERY_MS : AFTER_FAILURE_MS;
    };
    return repeat(stopping, upload, (err) => {
      this.log.error({ err }, 'Checkpoints could not be uploaded. The worker retries.');
      return AFTER_FAILURE_MS;
    });
  }

  /** @returns false when the bucket accepts nothing, so that the worker pauses */
  private async uploadDue(url: string, isThorough: boolean, stopping: AbortSignal): Promise<boolean> {
    for (const org of await this.uploads.due(url, isThorough)) {
      if (stopping.aborted) return true;
      try {
        await this.upload(url, org, stopping);
      } catch (err) {
        if (!(err instanceof NotUploaded)) throw err;
        if (stopping.aborted) return true;
        await this.uploads.setFault(url, org, err.message);
        this.log.warn({ org }, err.message);
        if (err.isUnavailable) return false;
      }
    }
    return true;
  }

  private async upload(url: string, org: Uuid, stopping: AbortSignal): Promise<void> {
    const { progress, checkpoints } = await this.uploads.next(url, org);
    for (const kept of checkpoints) {
      const isUnsent = kept.number !== progress.number;
      for (const { name, text, cosignatures } of filesOf(kept)) {
        if (!isUnsent && cosignatures <= progress.cosignatures) continue;
        await this.bucket.put(`${toWireId('org', org)}/${name}`, text, stopping);
      }
      await this.uploads.uploaded(url, kept);
    }
  }
}
