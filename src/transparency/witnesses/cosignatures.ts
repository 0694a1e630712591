import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { CLOCK, type Clock } from '../../platform/clock/clock.js';
import { Database, inTransaction } from '../../platform/database/open-database.js';
import { CHECKPOINT_COLUMNS, type SignedCheckpoint } from '../checkpoint-rows.js';

/** Number of organizations per witness in one round. */
const AT_ONCE = 1_000;

/** Stores the cosignatures of checkpoints, and finds the missing ones. */
@Injectable()
export class Cosignatures {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns the newest checkpoint of each organization that a witness has not cosigned, the oldest first,
   * without organizations for which the witness pauses.
   * @param isThorough false: only those made in the last minute, which costs little
   */
  async missing(witness: string, isThorough: boolean): Promise<readonly SignedCheckpoint[]> {
    const { rows } = await this.database.pool.query<SignedCheckpoint>({
      name: `transparency-cosignatures-missing ${isThorough}`,
      text: missing(isThorough ? NEWEST : RECENT),
      values: [witness],
    });
    return rows;
  }

  /**
   * Returns the size of the newest checkpoint of an organization that a witness cosigned; 0 before the first.
   */
  async cosignedSize(org: Uuid, witness: string): Promise<number> {
    const { rows } = await this.database.pool.query<{ size: string }>({
      name: 'transparency-cosigned-size',
      text: `select c.size from transparency_cosignatures s join transparency_checkpoints c using (org, number)
        where s.org = $1 and s.witness = $2 order by s.number desc limit 1`,
      values: [org, witness],
    });
    return Number(rows[0]?.size ?? 0);
  }

  /** Adds a cosignature; does nothing when the witness has cosigned the checkpoint already. */
  async add({ org, number }: SignedCheckpoint, witness: string, line: string): Promise<void> {
    const now = await this.clock.now(org);
    await inTransaction(this.database.pool, async (client) => {
      // Locks the row of the checkpoint, which orders concurrent cosignatures.
      await client.query('select from transparency_checkpoints where org = $1 and number = $2 for update', [
        org,
        number,
      ]);
      await client.query(
        `insert into transparency_cosignatures (org, number, witness, place, line, added_at)
          select $1, $2, $3, count(*) + 1, $4, $5 from transparency_cosignatures where org = $1 and number = $2
          on conflict (org, number, witness) do nothing`,
        [org, number, witness, line, now],
      );
    });
  }

  /**
   * Records why a witness does not cosign, for readiness and doctor.
   * @param restSeconds pause of the witness for the organization
   * @returns whether the reason is new
   */
  async setFault(org: Uuid, witness: string, sentence: string, restSeconds: number): Promise<boolean> {
    const { rows } = await this.database.pool.query<{ known: string | null }>(
      `with before as (select sentence from transparency_witness_faults where org = $1 and witness = $2)
        insert into transparency_witness_faults (org, witness, sentence, retry_at)
        values ($1, $2, $3, now() + $4 * interval '1 second')
        on conflict (org, witness) do update set sentence = excluded.sentence, retry_at = excluded.retry_at
        returning (select sentence from before) as known`,
      [org, witness, sentence, restSeconds],
    );
    return rows[0]?.known !== sentence;
  }

  async clearFault(org: Uuid, witness: string): Promise<void> {
    await this.database.pool.query({
      name: 'transparency-witness-fault-clear',
      text: 'delete from transparency_witness_faults where org = $1 and witness = $2',
      values: [org, witness],
    });
  }

  /** Deletes the faults of witnesses that are no longer configured. */
  async keepFaultsOf(witnesses: readonly string[]): Promise<void> {
    await this.database.pool.query('delete from transparency_witness_faults where witness <> all($1)', [
      witnesses,
    ]);
  }
}

const missing = (checkpoints: string): string => `
select ${CHECKPOINT_COLUMNS} from (${checkpoints}) c
where not exists (select from transparency_cosignatures s
    where s.org = c.org and s.number = c.number and s.witness = $1)
  and not exists (select from transparency_witness_faults f
    where f.org = c.org and f.witness = $1 and f.retry_at > now())
order by c.noted_at limit ${AT_ONCE}`;

const RECENT = `select n.* from transparency_checkpoints n where n.noted_at > now() - interval '1 minute'
  and not exists (select from transparency_checkpoints later where later.org = n.org and later.number > n.number)`;

const NEWEST = `select n.* from transparency_trees t cross join lateral (
  select * from transparency_checkpoints k where k.org = t.org order by number desc limit 1) n`;
