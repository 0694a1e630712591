import { Inject, Injectable } from '@nestjs/common';
import { AwsV4Signer } from 'aws4fetch';
import { CONFIG, type BucketSetting, type Config } from '../../platform/config/config.js';
import { askPeer, PeerUnavailable, type PeerAnswer } from '../ask-peer.js';
import { toHex, utf8 } from '../domain/bytes.js';
import { sha256 } from '../sha256.js';

const TIMEOUT_MS = 15_000;

/** An object could not be put. The message is a sentence for the operator that names no organization. */
export class NotUploaded extends Error {
  override readonly name = 'NotUploaded';
  constructor(
    what: string,
    /** True when the bucket accepts no object; false when it refuses this one. */
    readonly isUnavailable = true,
  ) {
    super(`The bucket of AUDIT_BUCKET ${what} Checkpoints are signed, and uploaded when it takes them.`);
  }
}

/**
 * Bucket of the setting `AUDIT_BUCKET`, in an object store that speaks S3. Objects are put once, and never
 * overwritten.
 */
@Injectable()
export class Bucket {
  readonly setting: BucketSetting | undefined;

  constructor(@Inject(CONFIG) config: Config) {
    this.setting = config.auditBucket;
  }

  /**
   * Puts an object; does nothing when the same object exists.
   * @throws NotUploaded
   */
  async put(name: string, text: string, stopping: AbortSignal, withinMs = TIMEOUT_MS): Promise<void> {
    const put = await this.ask('PUT', name, text, stopping, withinMs);
    if (put.status >= 200 && put.status < 300) return;
    if (put.status !== 412) throw new NotUploaded(refusalOf(put.status));
    const existing = await this.ask('GET', name, undefined, stopping, withinMs);
    // A write-only key cannot read the existing object; nothing was overwritten.
    if (existing.status === 200 && existing.body !== text) throw new NotUploaded(OBJECT_DIFFERS, false);
  }

  private async ask(
    method: 'GET' | 'PUT',
    name: string,
    body: string | undefined,
    stopping: AbortSignal,
    withinMs: number,
  ): Promise<PeerAnswer> {
    const { url: prefix, region, accessKeyId, secretAccessKey } = this.setting!;
    const given = body === undefined ? {} : { body };
    const { url, headers } = await new AwsV4Signer({
      method,
      url: `${prefix}/${name}`,
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...given,
      headers: {
        'X-Amz-Content-Sha256': toHex(sha256(utf8(body ?? ''))),
        ...(method === 'PUT' && { 'If-None-Match': '*', 'Content-Type': 'text/plain; charset=utf-8' }),
      },
    }).sign();
    try {
      return await askPeer({ method, url: url.href, headers, withinMs, ...given }, stopping);
    } catch (error) {
      if (error instanceof PeerUnavailable) throw new NotUploaded(`${error.message}; it is tried again.`);
      throw error;
    }
  }
}

const refusalOf = (status: number): string =>
  ({
    403: 'refuses the key (403): check AUDIT_BUCKET_ACCESS_KEY and AUDIT_BUCKET_SECRET_KEY, AUDIT_BUCKET_REGION, and the clock of this machine.',
    404: 'does not exist (404): check its URL.',
    501: 'knows no conditional writes (501): If-None-Match is needed, so that nothing is overwritten.',
  })[status] ?? `answered ${status}; it is tried again.`;

const OBJECT_DIFFERS =
  'holds another checkpoint under the name of one: compare the database and the log with a backup and with the bucket (recount doctor --checkpoints).';
