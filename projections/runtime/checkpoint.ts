import type pg from 'pg';
import type { Position } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { Projection } from './projection.js';

export const CHECKPOINTS_SCHEMA = `
create table projection_checkpoints (
  projection text not null,
  version integer not null,
  commit bigint not null default -1,
  prepare bigint not null default -1,
  store uuid,
  stopped text,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (projection, version)
);
comment on table projection_checkpoints is 'How far each read model has followed the log.';
comment on column projection_checkpoints.projection is 'Name of the projection';
comment on column projection_checkpoints.version is 'Version of its tables and their meaning';
comment on column projection_checkpoints.commit is 'Position of the last event applied; -1 before the first';
comment on column projection_checkpoints.prepare is 'Second part of that position';
comment on column projection_checkpoints.store is 'Event store it was taken from: the id of that store''s first event';
comment on column projection_checkpoints.stopped is 'Why the projection has stopped; null while nothing is wrong';
comment on column projection_checkpoints.updated_at is 'Wall time of the last batch';
`;

/** Before every event, whatever the driver. */
export const BEFORE_ALL: Position = { commit: -1n, prepare: -1n };

export interface Checkpoint {
  readonly position: Position;
  /** Undefined until the first batch: the store may be empty, and an empty store has no identity. */
  readonly store: Uuid | undefined;
}

/** Somebody else has moved this checkpoint: another process runs the projection. */
export class CheckpointTaken extends Error {
  override readonly name = 'CheckpointTaken';
}

type Queryable = Pick<pg.Pool, 'query'>;
type Named = Pick<Projection, 'name' | 'version'>;

/** The checkpoint as stored, at the beginning of the log for a projection that never ran. */
export async function loadCheckpoint(db: Queryable, { name, version }: Named): Promise<Checkpoint> {
  await db.query(
    'insert into projection_checkpoints (projection, version) values ($1, $2) on conflict do nothing',
    [name, version],
  );
  const { rows } = await db.query<{ commit: string; prepare: string; store: Uuid | null }>(
    'select commit, prepare, store from projection_checkpoints where projection = $1 and version = $2',
    [name, version],
  );
  const { commit, prepare, store } = rows[0]!;
  return { position: { commit: BigInt(commit), prepare: BigInt(prepare) }, store: store ?? undefined };
}

/**
 * Compare-and-set, the first statement of every batch: it locks the row until the batch commits. The commit need not
 * wait for the disk, as a crash of the database takes back rows and checkpoint together and the log has them still.
 * @throws CheckpointTaken when the stored position is another
 */
export async function moveCheckpoint(
  db: Queryable,
  { name, version }: Named,
  from: Position,
  to: Position,
  store: Uuid | undefined,
): Promise<void> {
  const { rowCount } = await db.query({
    name: 'move-checkpoint',
    text: `update projection_checkpoints
      set commit = $5, prepare = $6, store = $7, updated_at = clock_timestamp()
      where projection = $1 and version = $2 and commit = $3 and prepare = $4
      returning set_config('synchronous_commit', 'off', true)`,
    values: [name, version, from.commit, from.prepare, to.commit, to.prepare, store ?? null],
  });
  if (rowCount !== 1) throw new CheckpointTaken(`the checkpoint of ${name} was moved by another process`);
}

/** Says why a projection has stopped, or that it runs: for health and people, nothing depends on it. */
export async function noteStopped(
  db: Queryable,
  { name, version }: Named,
  reason: string | undefined,
): Promise<void> {
  await db.query(
    `update projection_checkpoints set stopped = $3
     where projection = $1 and version = $2 and stopped is distinct from $3`,
    [name, version, reason ?? null],
  );
}
