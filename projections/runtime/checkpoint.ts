import type pg from 'pg';
import type { Position } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import type { Projection } from './projection.js';

export interface Checkpoint {
  readonly position: Position;
  /** Undefined until the first batch: the store may be empty, and an empty store has no identity. */
  readonly store: Uuid | undefined;
  /** Epoch of the lease that may move it. */
  readonly epoch: bigint;
}

/** Somebody else has moved this checkpoint: another process runs the projection. */
export class CheckpointTaken extends Error {
  override readonly name = 'CheckpointTaken';
  constructor(projection: string) {
    super(`the checkpoint of ${projection} was moved by another process`);
  }
}

type Queryable = Pick<pg.Pool, 'query'>;
type Named = Pick<Projection, 'name' | 'version'>;

export interface CheckpointRow {
  readonly commit: string;
  readonly prepare: string;
  readonly store: Uuid | null;
  readonly epoch: string;
}

export const checkpointOf = ({ commit, prepare, store, epoch }: CheckpointRow): Checkpoint => ({
  position: { commit: BigInt(commit), prepare: BigInt(prepare) },
  store: store ?? undefined,
  epoch: BigInt(epoch),
});

/** The checkpoint of one build, as stored. @throws CheckpointTaken when another build has taken its place */
export async function loadCheckpoint(db: Queryable, { name, version }: Named): Promise<Checkpoint> {
  const { rows } = await db.query<CheckpointRow>(
    'select commit, prepare, store, epoch from projection_checkpoints where projection = $1 and version = $2',
    [name, version],
  );
  if (!rows[0]) throw new CheckpointTaken(name);
  return checkpointOf(rows[0]);
}

export interface CheckpointMove {
  readonly projection: Named;
  readonly from: Position;
  readonly to: Position;
  readonly store: Uuid | undefined;
  /** Epoch of the lease that moves it. */
  readonly epoch: bigint;
}

/**
 * Compare-and-set of one checkpoint, for the statement that writes its rows: no row when it stood elsewhere, or another
 * process has taken it under a later lease. The commit
 * need not wait for the disk, as a crash of the database takes back rows and checkpoint together and the log has them
 * still. Its parameters are `valuesOfMove`.
 */
export const MOVE_CHECKPOINT = `update projection_checkpoints
  set commit = $5, prepare = $6, store = $7, updated_at = clock_timestamp()
  where projection = $1 and version = $2 and commit = $3 and prepare = $4 and epoch = $8
  returning set_config('synchronous_commit', 'off', true)`;

export const valuesOfMove = ({ projection, from, to, store, epoch }: CheckpointMove): unknown[] => [
  projection.name,
  projection.version,
  from.commit,
  from.prepare,
  to.commit,
  to.prepare,
  store ?? null,
  epoch,
];

/** The same for many that change no row: those that stood at another position are missing from the answer. */
export async function moveCheckpoints(
  db: Queryable,
  moves: readonly CheckpointMove[],
): Promise<ReadonlySet<CheckpointMove>> {
  const { rows } = await db.query<{ place: number }>({
    name: 'move-checkpoints',
    text: `update projection_checkpoints c
      set commit = m.to_commit, prepare = m.to_prepare, store = m.store, updated_at = clock_timestamp()
      from unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::uuid[], $8::bigint[])
        with ordinality as m (projection, version, commit, prepare, to_commit, to_prepare, store, epoch, place)
      where c.projection = m.projection and c.version = m.version
        and c.commit = m.commit and c.prepare = m.prepare and c.epoch = m.epoch
      returning m.place::int, set_config('synchronous_commit', 'off', true)`,
    values: transposed(moves.map(valuesOfMove)),
  });
  return new Set(rows.map(({ place }) => moves[place - 1]!));
}

const transposed = (rows: readonly unknown[][]): unknown[][] =>
  rows[0]!.map((_, column) => rows.map((row) => row[column]));

/**
 * Takes the live checkpoint of a build for a lease: from then on it moves under this epoch only. Undefined when another
 * build is live, or a later lease has it.
 */
export async function claimCheckpoint(
  db: Queryable,
  { name, version }: Named,
  epoch: bigint,
): Promise<Checkpoint | undefined> {
  const { rows } = await db.query<CheckpointRow>(
    `update projection_checkpoints set epoch = $3
     where projection = $1 and version = $2 and live and epoch <= $3 returning commit, prepare, store, epoch`,
    [name, version, epoch],
  );
  return rows[0] && checkpointOf(rows[0]);
}

/** Keeps the checkpoint where it is until the transaction ends. @throws CheckpointTaken when a later lease has it */
export async function holdCheckpoint(db: Queryable, { name, version }: Named, epoch: bigint): Promise<void> {
  const { rowCount } = await db.query(
    'select from projection_checkpoints where projection = $1 and version = $2 and epoch = $3 for update',
    [name, version, epoch],
  );
  if (rowCount === 0) throw new CheckpointTaken(name);
}

/** Says why a projection has stopped, or that it runs: for health and people, nothing depends on it. */
export async function noteStopped(
  db: Queryable,
  { name, version }: Named,
  reason: string | undefined,
  epoch: bigint,
): Promise<void> {
  await db.query(
    `update projection_checkpoints set stopped = $3
     where projection = $1 and version = $2 and epoch <= $4 and stopped is distinct from $3`,
    [name, version, reason ?? null, epoch],
  );
}
