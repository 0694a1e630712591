import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/open-database.js';
import { CHECKPOINT_COLUMNS, type SignedCheckpoint } from '../checkpoint-rows.js';

/** Limits of one round: organizations, and checkpoints of each. */
const ORGANIZATIONS = 1_000;
const CHECKPOINTS = 100;
/** Pause after a failed upload of an organization. */
const REST_SECONDS = 30;

/** Progress of an organization's uploads. */
interface UploadProgress {
  /** Number of the newest uploaded checkpoint; 0 before the first. */
  readonly number: string;
  /** Number of its cosignatures that were uploaded with it. */
  readonly cosignatures: number;
}

/** Keeps the progress of each organization's uploads to a bucket, and why they fail. */
@Injectable()
export class Uploads {
  constructor(private readonly database: Database) {}

  /**
   * Returns organizations whose newest checkpoint, or a cosignature of it, is not in the bucket.
   * @param isThorough false: only those with a checkpoint of the last minute, which costs little
   */
  async due(bucket: string, isThorough: boolean): Promise<readonly Uuid[]> {
    const { rows } = await this.database.pool.query<{ org: Uuid }>({
      name: `transparency-uploads-due ${isThorough}`,
      text: due(isThorough ? NEWEST : RECENT),
      values: [bucket],
    });
    return rows.map(({ org }) => org);
  }

  /**
   * Returns the checkpoints of an organization from the newest uploaded one on, with the progress of that
   * one.
   */
  async next(
    bucket: string,
    org: Uuid,
  ): Promise<{ progress: UploadProgress; checkpoints: readonly SignedCheckpoint[] }> {
    const { rows } = await this.database.pool.query<UploadProgress>({
      name: 'transparency-uploads-progress',
      text: 'select number, cosignatures from transparency_uploads where bucket = $1 and org = $2',
      values: [bucket, org],
    });
    const progress = rows[0] ?? { number: '0', cosignatures: 0 };
    const { rows: checkpoints } = await this.database.pool.query<SignedCheckpoint>({
      name: 'transparency-uploads-next',
      text: `select ${CHECKPOINT_COLUMNS} from transparency_checkpoints c where c.org = $1 and c.number >= $2
        order by c.number limit ${CHECKPOINTS}`,
      values: [org, progress.number],
    });
    return { progress, checkpoints };
  }

  async uploaded(bucket: string, { org, number, cosignatures }: SignedCheckpoint): Promise<void> {
    await this.database.pool.query({
      name: 'transparency-uploads-move',
      text: `insert into transparency_uploads as u (bucket, org, number, cosignatures) values ($1, $2, $3, $4)
        on conflict (bucket, org) do update set number = excluded.number, cosignatures = excluded.cosignatures,
          sentence = null, retry_at = null
        where (u.number, u.cosignatures) <= (excluded.number, excluded.cosignatures)`,
      values: [bucket, org, number, cosignatures.length],
    });
  }

  /** Records why nothing is uploaded, for readiness and doctor. */
  async setFault(bucket: string, org: Uuid, sentence: string): Promise<void> {
    await this.database.pool.query(
      `insert into transparency_uploads (bucket, org, number, cosignatures, sentence, retry_at)
        values ($1, $2, 0, 0, $3, now() + interval '${REST_SECONDS} seconds')
        on conflict (bucket, org) do update set sentence = excluded.sentence, retry_at = excluded.retry_at`,
      [bucket, org, sentence],
    );
  }

  /** Deletes the faults of buckets that are no longer configured. */
  async keepFaultsOf(bucket: string | undefined): Promise<void> {
    await this.database.pool.query(
      'update transparency_uploads set sentence = null where sentence is not null and bucket is distinct from $1',
      [bucket ?? null],
    );
  }
}

const due = (checkpoints: string): string => `
select c.org from (${checkpoints}) c left join transparency_uploads u on u.bucket = $1 and u.org = c.org
where (u.retry_at is null or u.retry_at <= now())
  and (c.number, (select count(*) from transparency_cosignatures s where s.org = c.org and s.number = c.number))
    > (coalesce(u.number, 0), coalesce(u.cosignatures, 0))
order by c.noted_at limit ${ORGANIZATIONS}`;

const RECENT = `select n.org, n.number, n.noted_at from transparency_checkpoints n
  where n.noted_at > now() - interval '1 minute'
    and not exists (select from transparency_checkpoints later where later.org = n.org and later.number > n.number)`;

const NEWEST = `select n.org, n.number, n.noted_at from transparency_trees t cross join lateral (
  select * from transparency_checkpoints k where k.org = t.org order by number desc limit 1) n`;
