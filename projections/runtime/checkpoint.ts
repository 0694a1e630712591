import type pg from 'pg';
import { BEFORE_ALL, comparePositions, formatPosition, type Position } from '../../src/kernel/event.js';
import type { Uuid } from '../../src/kernel/ids.js';
import { Batcher } from '../../src/platform/concurrency/shared-calls.js';
import type { EventStore } from '../../src/platform/eventsourcing/store/event-store.js';
import type { Projection } from './projection.js';

export interface ProjectionCheckpoint {
  readonly position: Position;
  /** Undefined until the first batch, because an empty store has no identity. */
  readonly store: Uuid | undefined;
  /** Epoch of the lease that may move the checkpoint. */
  readonly epoch: bigint;
}

/** Another process has moved the checkpoint and runs the projection now. */
export class CheckpointTaken extends Error {
  override readonly name = 'CheckpointTaken';
  constructor(projection: string) {
    super(`the checkpoint of ${projection} was moved by another process`);
  }
}

type Queryable = Pick<pg.Pool, 'query'>;
type Named = Pick<Projection, 'name' | 'version'>;

interface CheckpointRow {
  readonly commit: string;
  readonly prepare: string;
  readonly store: Uuid | null;
  readonly epoch: string;
}

const checkpointOf = ({ commit, prepare, store, epoch }: CheckpointRow): ProjectionCheckpoint => ({
  position: { commit: BigInt(commit), prepare: BigInt(prepare) },
  store: store ?? undefined,
  epoch: BigInt(epoch),
});

/** Reads the checkpoint of a build. @throws CheckpointTaken when another build has replaced it */
export async function loadCheckpoint(db: Queryable, { name, version }: Named): Promise<ProjectionCheckpoint> {
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
  /** Epoch of the lease that moves the checkpoint. */
  readonly epoch: bigint;
}

/**
 * Compare-and-set of one checkpoint, as part of the statement that writes the rows of the batch. It updates no row when
 * the checkpoint is at another position or belongs to a later lease. The commit does not wait for the disk: a crash of
 * the database reverts rows and checkpoint together, and the log still has the events. Parameters: `valuesOfMove`.
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

/** Moves many checkpoints over events that change no row. @returns the moves that were made */
export async function moveCheckpoints(
  db: Queryable,
  moves: readonly CheckpointMove[],
): Promise<ReadonlySet<CheckpointMove>> {
  const { rows } = await db.query<{ index: number }>({
    name: 'move-checkpoints',
    text: `update projection_checkpoints c
      set commit = m.to_commit, prepare = m.to_prepare, store = m.store, updated_at = clock_timestamp()
      from unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::uuid[], $8::bigint[])
        with ordinality as m (projection, version, commit, prepare, to_commit, to_prepare, store, epoch, index)
      where c.projection = m.projection and c.version = m.version
        and c.commit = m.commit and c.prepare = m.prepare and c.epoch = m.epoch
      returning m.index::int, set_config('synchronous_commit', 'off', true)`,
    values: transposed(moves.map(valuesOfMove)),
  });
  return new Set(rows.map(({ index }) => moves[index - 1]!));
}

const transposed = (rows: readonly unknown[][]): unknown[][] =>
  rows[0]!.map((_, column) => rows.map((row) => row[column]));

/**
 * Claims the checkpoint of a live build for a lease: afterwards only writers with this epoch can move it. The projection
 * counts as running again.
 * @returns undefined when another build is live or a later lease has claimed the checkpoint
 */
export async function claimCheckpoint(
  db: Queryable,
  { name, version }: Named,
  epoch: bigint,
): Promise<ProjectionCheckpoint | undefined> {
  const { rows } = await db.query<CheckpointRow>(
    `update projection_checkpoints set epoch = $3, stopped = null
     where projection = $1 and version = $2 and live and epoch <= $3 returning commit, prepare, store, epoch`,
    [name, version, epoch],
  );
  return rows[0] && checkpointOf(rows[0]);
}

/** Locks the checkpoint until the transaction ends. @throws CheckpointTaken when a later lease has claimed it */
export async function lockCheckpoint(db: Queryable, { name, version }: Named, epoch: bigint): Promise<void> {
  const { rowCount } = await db.query(
    'select from projection_checkpoints where projection = $1 and version = $2 and epoch = $3 for update',
    [name, version, epoch],
  );
  if (rowCount === 0) throw new CheckpointTaken(name);
}

/** Records why a projection has stopped. Only health checks and operators read it. */
export async function recordStopped(
  db: Queryable,
  { name, version }: Named,
  reason: string,
  epoch: bigint,
): Promise<void> {
  await db.query(
    `update projection_checkpoints set stopped = $3
     where projection = $1 and version = $2 and epoch <= $4 and stopped is distinct from $3`,
    [name, version, reason, epoch],
  );
}

export interface Build {
  /** The projection with the number of the build as its version, which names its tables and checkpoint. */
  readonly projection: Projection;
  /** Version of the projection in the code that fills the build. */
  readonly definition: number;
  readonly checkpoint: ProjectionCheckpoint;
  readonly stopped: string | undefined;
}

type BuildRow = CheckpointRow & { version: number; definition: number; stopped: string | null };

/** Finds the live build, which views read; creates the first one of a projection that never ran. */
export const liveBuild = async (db: Queryable, projection: Projection): Promise<Build> =>
  (await liveBuilds(db, [projection]))[0]!;

/** Finds the live builds of many projections, in their order. @throws Error when none of the builds of one is live */
export async function liveBuilds(db: Queryable, projections: readonly Projection[]): Promise<Build[]> {
  return (await findLiveBuilds(db, projections)).map((build, index) => {
    if (!build) throw new Error(`None of the builds of the projection ${projections[index]!.name} is live.`);
    return build;
  });
}

/**
 * Finds the live builds of many projections, in their order, by two statements; undefined where builds exist and none is
 * live, which no process causes.
 */
export async function findLiveBuilds(
  db: Queryable,
  projections: readonly Projection[],
): Promise<(Build | undefined)[]> {
  const names = projections.map(({ name }) => name);
  await db.query(
    `insert into projection_checkpoints (projection, version, definition, live)
     select name, version, version, true from unnest($1::text[], $2::int[]) as first (name, version)
     where not exists (select from projection_checkpoints where projection = name and live)
     on conflict do nothing`,
    [names, projections.map(({ version }) => version)],
  );
  const { rows } = await db.query<BuildRow & { projection: string }>(
    `select projection, version, definition, stopped, commit, prepare, store, epoch from projection_checkpoints
     where projection = any($1) and live`,
    [names],
  );
  const byName = new Map(rows.map((row) => [row.projection, row]));
  return projections.map((projection) => {
    const row = byName.get(projection.name);
    return row && buildOf(projection, row);
  });
}

/** Finds the live build and locks its checkpoint until the transaction ends. */
export async function lockLiveBuild(client: pg.PoolClient, projection: Projection): Promise<Build> {
  const { rows } = await client.query<BuildRow>(
    `select version, definition, stopped, commit, prepare, store, epoch from projection_checkpoints
     where projection = $1 and live for update`,
    [projection.name],
  );
  return buildOf(projection, rows[0]!);
}

function buildOf(projection: Projection, row: BuildRow): Build {
  return {
    projection: { ...projection, version: row.version },
    definition: row.definition,
    checkpoint: checkpointOf(row),
    stopped: row.stopped ?? undefined,
  };
}

/** Number of moves in one statement. */
const MAX_MOVES = 100;

/**
 * Moves checkpoints over batches that change no row, many in one statement. An event changes rows of one or
 * two projections; the others only move their checkpoints.
 */
export class CheckpointMover {
  private readonly moves: Batcher<CheckpointMove, true>;

  constructor(pool: Pick<pg.Pool, 'query'>) {
    this.moves = new Batcher<CheckpointMove, true>(
      async (group) => {
        const moved = await moveCheckpoints(pool, group);
        return group.map((move) => moved.has(move) || new CheckpointTaken(move.projection.name));
      },
      { most: MAX_MOVES },
    );
  }

  /** @throws CheckpointTaken, errors of the database (outcome unknown) */
  async move(move: CheckpointMove): Promise<void> {
    await this.moves.add(move);
  }
}

/** First event and head of an event store, as they are now. */
export interface StoreEnds {
  readonly identity: Uuid | undefined;
  readonly head: Position | undefined;
}

export async function storeEnds(store: EventStore): Promise<StoreEnds> {
  const [identity, head] = await Promise.all([store.identity(), store.head()]);
  return { identity, head };
}

/**
 * Checks that a checkpoint belongs to this event store and is not after its head.
 * @returns undefined when the projection may resume from it, else the reason and the remedy
 */
export function reasonNotToResume(
  projection: string,
  { position, store: knownStore }: ProjectionCheckpoint,
  { identity, head }: StoreEnds,
): string | undefined {
  if (comparePositions(position, BEFORE_ALL) <= 0) return undefined;
  const wayOut = `Run \`projections rebuild ${projection}\` to build it from this store.`;
  if (knownStore !== identity) {
    return `its checkpoint was taken from the event store ${knownStore ?? 'null'}, and this one is ${identity ?? 'empty'}. ${wayOut}`;
  }
  if (!head || comparePositions(position, head) > 0) {
    const positions = `${formatPosition(position)}, the head is ${head ? formatPosition(head) : 'nowhere'}`;
    return `its checkpoint lies beyond the head of the event store (${positions}). ${wayOut}`;
  }
  return undefined;
}
