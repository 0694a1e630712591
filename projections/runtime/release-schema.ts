import type pg from 'pg';
import { BEFORE_ALL, comparePositions } from '../../src/kernel/event.js';
import {
  alteredMigrations,
  type Migration,
  MIGRATIONS_TABLE,
} from '../../src/platform/database/migrations.js';
import {
  differencesOfSchema,
  schemaObjects,
  type SchemaObject,
} from '../../src/platform/database/schema-objects.js';
import { findLiveBuilds } from './checkpoint.js';
import { DERIVED_SCHEMA, type DerivedView, derivedViewDdl } from './derived-views.js';
import type { Projection } from './projection.js';
import { alteredTables, buildTableOf, tableDdl, viewDdl } from './read-model-tables.js';

/** Statements of a release that create its objects in a database. */
export interface Release {
  readonly migrations: readonly Migration[];
  readonly projections: readonly Projection[];
  readonly views: readonly DerivedView[];
}

/** Schemas that exist within the transaction of a comparison only. */
const OF_RELEASE = 'recount_of_release';
const OF_RELEASE_DERIVED = 'recount_of_release_derived';

/**
 * Compares the schema of the database with what this release creates: it runs the statements of the release in empty
 * schemas and rolls back. Builds of other releases, and read models that no process has created yet, are left out.
 * @returns a sentence for each difference
 */
export async function compareSchema(pool: pg.Pool, release: Release): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ schema: string; missing: string | null }>(
      `select quote_ident(current_schema()) as schema, case
         when not has_database_privilege(current_database(), 'create') then format('%I to %I', current_database(), current_user)
       end as missing`,
    );
    const { missing } = rows[0]!;
    if (missing !== null)
      return [
        `the schema is not compared, as this takes the right to create schemas: grant create on database ${missing}`,
      ];
    const [builds, hasAll] = await ownBuilds(client, release.projections);
    const actual = [
      ...(await schemaObjects(client, rows[0]!.schema)),
      ...(hasAll && (await hasDerivedSchema(client))
        ? await schemaObjects(client, DERIVED_SCHEMA, `${DERIVED_SCHEMA}.`)
        : []),
    ];
    const expected = await expectedObjects(client, {
      ...release,
      projections: builds,
      views: hasAll ? release.views : [],
    });
    return [...differencesOfSchema(expected, actual), ...(await alteredMigrations(pool, release.migrations))];
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** Returns the live builds of this release, and whether all read models are among them. */
async function ownBuilds(
  client: pg.PoolClient,
  projections: readonly Projection[],
): Promise<[builds: Projection[], hasAll: boolean]> {
  const own: Projection[] = [];
  for (const [index, build] of (await findLiveBuilds(client, projections)).entries()) {
    if (build?.definition !== projections[index]!.version) continue;
    const { projection, checkpoint } = build;
    const tables = await alteredTables(client, [projection]);
    const isMissing = Object.keys(projection.tables).every(
      (table) => tables.get(buildTableOf(table, projection.version)) === 'missing',
    );
    // Before the first start after a restore there are neither tables nor events in them.
    if (isMissing && comparePositions(checkpoint.position, BEFORE_ALL) <= 0) continue;
    own.push(projection);
  }
  return [own, own.length === projections.length];
}

async function hasDerivedSchema(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>(
    'select to_regnamespace($1) is not null as is_there',
    [DERIVED_SCHEMA],
  );
  return rows[0]!.is_there;
}

async function expectedObjects(
  client: pg.PoolClient,
  { migrations, projections, views }: Release,
): Promise<SchemaObject[]> {
  const statements = [
    `create schema ${OF_RELEASE}`,
    `create schema ${OF_RELEASE_DERIVED}`,
    `set local search_path to ${OF_RELEASE}`,
    MIGRATIONS_TABLE,
    ...migrations.map(({ sql }) => sql),
    ...projections.flatMap(({ version, tables }) =>
      Object.entries(tables).flatMap(([view, table]) => [
        ...tableDdl(view, version, table),
        ...viewDdl(view, version, table, 'same'),
      ]),
    ),
    ...views.flatMap((view) => derivedViewDdl(view, OF_RELEASE_DERIVED)),
  ];
  await client.query(statements.join(';\n'));
  const objects = [
    ...(await schemaObjects(client, OF_RELEASE)),
    ...(await schemaObjects(client, OF_RELEASE_DERIVED, `${DERIVED_SCHEMA}.`)),
  ];
  return objects.map(({ definition, ...object }) => ({
    ...object,
    definition: definition.replaceAll(`${OF_RELEASE_DERIVED}.`, `${DERIVED_SCHEMA}.`),
  }));
}
