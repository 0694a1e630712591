import type pg from 'pg';
import { checkpointOf, type Checkpoint, type CheckpointRow } from './checkpoint.js';
import type { Projection } from './projection.js';

export interface Build {
  /** The projection with the number of the build as its version: that is how its tables and checkpoint are called. */
  readonly projection: Projection;
  /** Version of the code that fills it. */
  readonly definition: number;
  readonly checkpoint: Checkpoint;
  readonly stopped: string | undefined;
}

type Queryable = Pick<pg.Pool, 'query'>;
type BuildRow = CheckpointRow & { version: number; definition: number; stopped: string | null };

/** The build that is read; for a projection that never ran its first one, at the beginning of the log. */
export const liveBuild = async (db: Queryable, projection: Projection): Promise<Build> =>
  (await liveBuilds(db, [projection]))[0]!;

/** The same of many by two statements, in their order: a process asks for all of them when it starts. */
export async function liveBuilds(db: Queryable, projections: readonly Projection[]): Promise<Build[]> {
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
  return projections.map((projection) => buildOf(projection, byName.get(projection.name)!));
}

/** The live build, standing still until the transaction ends. */
export async function holdLiveBuild(client: pg.PoolClient, projection: Projection): Promise<Build> {
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
