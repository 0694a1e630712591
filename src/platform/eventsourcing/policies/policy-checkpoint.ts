import type { Pool } from 'pg';
import { formatPosition, parsePosition, type Position } from '../../../kernel/event.js';
import type { Uuid } from '../../../kernel/ids.js';

export const POLICY_CHECKPOINT_MIGRATION = `
create table follow_ups_checkpoint (
  store uuid primary key,
  position text not null,
  saved_at timestamptz not null default now()
);
comment on table follow_ups_checkpoint is 'How far the log was searched for events whose follow-ups a dead process left undone.';
comment on column follow_ups_checkpoint.store is 'The event store, by the id of its first event.';
comment on column follow_ups_checkpoint.position is 'Everything up to here is followed up.';
comment on column follow_ups_checkpoint.saved_at is 'Wall time.';`;

/** Stores the position up to which all policies have run, for each event store. */
export class PolicyCheckpoint {
  constructor(private readonly pool: Pool) {}

  /** Returns undefined for a store whose log has to be read from the beginning. */
  async load(store: Uuid | undefined): Promise<Position | undefined> {
    if (!store) return undefined;
    const { rows } = await this.pool.query<{ position: string }>({
      name: 'follow-ups-checkpoint-load',
      text: 'select position from follow_ups_checkpoint where store = $1',
      values: [store],
    });
    return rows[0] && parsePosition(rows[0].position);
  }

  /** Forgets the position: the log has to be read from the beginning. */
  async forget(store: Uuid | undefined): Promise<void> {
    await this.pool.query('delete from follow_ups_checkpoint where store = $1', [store]);
  }

  async save(position: Position, store: Uuid | undefined): Promise<void> {
    await this.pool.query({
      name: 'follow-ups-checkpoint-save',
      text: `insert into follow_ups_checkpoint (store, position) values ($1, $2)
        on conflict (store) do update set position = excluded.position, saved_at = now()`,
      values: [store, formatPosition(position)],
    });
  }
}
