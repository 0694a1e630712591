import type pg from 'pg';
import { checkpointOf, type Checkpoint, type CheckpointRow } from './checkpoint.js';
import type { Projection } from './projection.js';

/**
 * A projection can be built more than once: one build is live, which is the one its views read, and at most one more is
 * made beside it. A checkpoint belongs to a build.
 */
export const BUILDS_SCHEMA = `
alter table projection_checkpoints add column definition integer, add column live boolean not null default false;
update projection_checkpoints c set definition = version,
  live = version = (select max(version) from projection_checkpoints o where o.projection = c.projection);
alter table projection_checkpoints alter column definition set not null;
create unique index projection_checkpoints_live on projection_checkpoints (projection) where live;
comment on column projection_checkpoints.version is 'Number of the build: its tables are called <table>_v<version>';
comment on column projection_checkpoints.definition is 'Version of the projection in the code that fills it';
comment on column projection_checkpoints.live is 'Whether the views read this build';
`;

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
export async function liveBuild(db: Queryable, projection: Projection): Promise<Build> {
  await db.query(
    `insert into projection_checkpoints (projection, version, definition, live)
     select $1, $2, $2, true where not exists (select from projection_checkpoints where projection = $1 and live)
     on conflict do nothing`,
    [projection.name, projection.version],
  );
  const { rows } = await db.query<BuildRow>(
    `select version, definition, stopped, commit, prepare, store from projection_checkpoints
     where projection = $1 and live`,
    [projection.name],
  );
  return buildOf(projection, rows[0]!);
}

/** The live build, standing still until the transaction ends. */
export async function holdLiveBuild(client: pg.PoolClient, projection: Projection): Promise<Build> {
  const { rows } = await client.query<BuildRow>(
    `select version, definition, stopped, commit, prepare, store from projection_checkpoints
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
