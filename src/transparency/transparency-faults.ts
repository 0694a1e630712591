import { Injectable } from '@nestjs/common';
import type { Uuid } from '../kernel/ids.js';
import { Database } from '../platform/database/open-database.js';

/** Stands for all organizations. */
const ALL: Uuid = '00000000-0000-0000-0000-000000000000';

/** Keeps why no checkpoint can be signed, for readiness and doctor. */
@Injectable()
export class TransparencyFaults {
  constructor(private readonly database: Database) {}

  /** @param org undefined: all organizations */
  async set(org: Uuid | undefined, sentence: string): Promise<void> {
    await this.database.pool.query({
      name: 'transparency-fault-set',
      text: `insert into transparency_faults (org, sentence) values ($1, $2)
        on conflict (org) do update set sentence = excluded.sentence`,
      values: [org ?? ALL, sentence],
    });
  }

  /** Clears the fault of an organization whose checkpoint was signed. */
  async clear(org: Uuid): Promise<void> {
    await this.database.pool.query({
      name: 'transparency-fault-clear',
      text: 'delete from transparency_faults where org in ($1, $2)',
      values: [org, ALL],
    });
  }

  /** Clears the faults of all organizations. */
  async clearAll(): Promise<void> {
    await this.database.pool.query('delete from transparency_faults where org = $1', [ALL]);
  }

  /**
   * Returns the sentences, each once, without naming organizations; includes those of witnesses and uploads.
   */
  async sentences(): Promise<readonly string[]> {
    const { rows } = await this.database.pool.query<{ sentence: string }>({
      name: 'transparency-faults',
      text: `select sentence from transparency_faults union select sentence from transparency_witness_faults
        union select sentence from transparency_uploads where sentence is not null
        order by sentence limit 20`,
    });
    return rows.map(({ sentence }) => sentence);
  }
}
