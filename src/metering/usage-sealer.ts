import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { pastMoment } from '../platform/as-of/moment.js';
import { Database } from '../platform/database/open-database.js';
import { SeparateFlights } from '../platform/concurrency/shared-calls.js';

interface Watermark {
  readonly watermark: string;
  readonly open: boolean;
}

/**
 * Numbers batches 1, 2, 3 … per organization. The batches up to a number never change: one that commits later gets a
 * later number, whatever its batch id. So no batch is missed, and a count up to a number can be repeated.
 */
@Injectable()
export class UsageSealer {
  /** Concurrent runs of one organization share a sealing, which begins after the last of them has asked for it. */
  readonly #sealings = new SeparateFlights<Uuid, bigint>((org) => this.sealNow(org));

  constructor(private readonly database: Database) {}

  /** Numbers every committed batch of the organization. Returns the last number; 0 without usage. */
  seal(org: Uuid): Promise<bigint> {
    // As of a moment every batch has a number, and the answer differs from that of a run now.
    return pastMoment() ? this.sealNow(org) : this.#sealings.run(org);
  }

  private async sealNow(org: Uuid): Promise<bigint> {
    const { rows } = await this.database.pool.query<Watermark>({
      name: 'usage-watermark',
      text: `select coalesce(max(sealed_number), 0) as watermark,
          exists (select from usage_batches where org = $1 and sealed_number is null) as open
        from usage_batches where org = $1 and sealed_number is not null`,
      values: [org],
    });
    const { watermark, open } = rows[0]!;
    return open ? this.numberOpenBatches(org) : BigInt(watermark);
  }

  /** Takes the lock in a statement of its own: a statement that waited for it inside would have an older snapshot. */
  private async numberOpenBatches(org: Uuid): Promise<bigint> {
    const client = await this.database.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      await client.query({
        name: 'usage-seal-lock',
        text: `select pg_advisory_xact_lock(hashtextextended('usage-seal:' || $1, 0))`,
        values: [org],
      });
      const { rows } = await client.query<{ watermark: string }>({
        name: 'usage-seal',
        text: SEAL,
        values: [org],
      });
      await client.query('commit');
      return BigInt(rows[0]!.watermark);
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

const SEAL = `
with sealed as (
  select coalesce(max(sealed_number), 0) as watermark, (
    select batch_id from usage_batches where org = $1 and sealed_number is not null order by batch_id desc limit 1
  ) as last_batch
  from usage_batches where org = $1 and sealed_number is not null
), open as (
  select batch_id, row_number() over (order by batch_id) as ordinal
  from usage_batches where org = $1 and sealed_number is null
), numbered as (
  update usage_batches b set sealed_number = sealed.watermark + open.ordinal,
    is_straggler = coalesce(b.batch_id < sealed.last_batch, false)
  from open cross join sealed
  where b.org = $1 and b.batch_id = open.batch_id
  returning b.sealed_number
)
select coalesce((select max(sealed_number) from numbered), sealed.watermark) as watermark from sealed`;
