import pg from 'pg';
import { inTransaction } from '../../src/platform/database/open-database.js';
import { liveBuilds } from './checkpoint.js';
import { DROP_DERIVED_VIEWS, READER_ROLE } from './derived-views.js';
import type { Projection, ReadModelTable } from './projection.js';

/**
 * Creates missing tables and views. Every process calls it before it serves, because the API reads views
 * without running projections; of processes that start together, one creates. Builds of other versions stay,
 * and `rebuildOutdated` builds the version of this process beside them.
 * @throws Error when a table has other columns than its definition
 */
export async function createReadModels(pool: pg.Pool, projections: readonly Projection[]): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('recount read models'))`);
    const builds = await liveBuilds(client, projections);
    const own = builds.filter(({ definition }, index) => definition === projections[index]!.version);
    const statements = await missing(
      client,
      own.map(({ projection }) => projection),
    );
    for (const statement of statements) await client.query(statement);
    await grantToReaders(
      client,
      own.flatMap(({ projection }) => Object.keys(projection.tables)),
    );
  });
}

async function missing(client: pg.PoolClient, projections: readonly Projection[]): Promise<string[]> {
  const tables = await alteredTables(client, projections);
  const views = await alteredViews(client, projections);
  return projections.flatMap(({ name, version, tables: definitions }) =>
    Object.entries(definitions).flatMap(([view, table]) => {
      const target = buildTableOf(view, version);
      if (tables.get(target) === 'altered') {
        throw new Error(
          `Table ${target} has other columns than its definition: raise the version of the projection "${name}".`,
        );
      }
      return [
        ...(tables.has(target) ? tableDdl(view, version, table) : []),
        ...(views.has(view) ? viewDdl(view, version, table, 'new') : []),
      ];
    }),
  );
}

/** Returns the tables of builds that are missing or have other columns than their definitions, by name. */
export async function alteredTables(
  db: Pick<pg.Pool, 'query'>,
  builds: readonly Projection[],
): Promise<ReadonlyMap<string, 'missing' | 'altered'>> {
  const defined = definedTables(builds);
  const { rows } = await db.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname = any($1) group by c.relname`,
    [defined.map(({ table }) => table)],
  );
  const found = new Map(rows.map((row) => [row.name, row.columns.join()]));
  return new Map(
    defined
      .filter(({ table, columns }) => found.get(table) !== columns.join())
      .map(({ table }) => [table, found.has(table) ? 'altered' : 'missing']),
  );
}

/**
 * Returns the views that are missing or defined otherwise than `viewDdl` defines them. PostgreSQL writes the definition of
 * a view from its parsed form, columns with or without their table.
 */
export async function alteredViews(
  db: Pick<pg.Pool, 'query'>,
  builds: readonly Projection[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ view: string }>(
    `select d.view from jsonb_to_recordset($1::jsonb) as d (view text, "table" text, columns text[])
     left join pg_class c on c.relnamespace = current_schema()::regnamespace and c.relname = d.view and c.relkind = 'v'
     cross join lateral (
       select string_agg(quote_ident(name), ', ' order by index) as plain,
         string_agg(quote_ident(d."table") || '.' || quote_ident(name), ', ' order by index) as qualified
       from unnest(d.columns) with ordinality as names (name, index)) listed
     where (regexp_replace(pg_get_viewdef(c.oid), '\\s+', ' ', 'g') in (
       ' SELECT ' || plain || ' FROM ' || quote_ident(d."table") || ';',
       ' SELECT ' || qualified || ' FROM ' || quote_ident(d."table") || ';')) is not true`,
    [JSON.stringify(definedTables(builds))],
  );
  return new Set(rows.map(({ view }) => view));
}

const definedTables = (builds: readonly Projection[]) =>
  builds.flatMap(({ version, tables }) =>
    Object.entries(tables).map(([view, definition]) => {
      return { view, table: buildTableOf(view, version), columns: columnNamesOf(definition) };
    }),
  );

/** Grants the reader role, if it exists, access to these views. */
export async function grantToReaders(db: Pick<pg.Pool, 'query'>, views: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ view: string }>(
    `select view from unnest($1::text[]) as view, pg_roles r
     where r.rolname = $2 and not has_table_privilege(r.oid, to_regclass(quote_ident(view)), 'select')`,
    [views, READER_ROLE],
  );
  for (const { view } of rows)
    await db.query(`grant select on ${pg.escapeIdentifier(view)} to ${READER_ROLE}`);
}

const { escapeIdentifier: name, escapeLiteral: text } = pg;

/** Name of the table behind a view; each build has its own. */
export const buildTableOf = (view: string, version: number): string => `${view}_v${version}`;

export const columnNamesOf = (table: ReadModelTable<object>): string[] => Object.keys(table.columns);

/** Statements that create the table of a build, with indexes and comments. */
export function tableDdl(view: string, version: number, table: ReadModelTable<object>): string[] {
  const target = name(buildTableOf(view, version));
  const columns = definitions(table).map(([column, { type }]) => `${name(column)} ${type}`);
  const key = table.key.map(name).join(', ');
  return [
    `create table ${target} (${columns.join(', ')}, primary key (${key})) with (fillfactor = ${table.fillfactor ?? 100})`,
    ...(table.indexes ?? []).map((index) => `create index on ${target} ${index}`),
    ...comments('table', target, table),
  ];
}

/**
 * Statements that point the view at the table of a build. A view with the same columns is replaced in place, so that it
 * keeps its grants and the views that depend on it. With other columns the derived views are dropped first, and the caller
 * creates them again.
 */
export function viewDdl(
  view: string,
  version: number,
  table: ReadModelTable<object>,
  columns: 'same' | 'new',
): string[] {
  const names = columnNamesOf(table).map(name).join(', ');
  return [
    ...(columns === 'new' ? [DROP_DERIVED_VIEWS, `drop view if exists ${name(view)}`] : []),
    `create or replace view ${name(view)} as select ${names} from ${name(buildTableOf(view, version))}`,
    ...comments('view', name(view), table),
  ];
}

function comments(kind: 'table' | 'view', target: string, table: ReadModelTable<object>): string[] {
  return [
    `comment on ${kind} ${target} is ${text(table.comment)}`,
    ...definitions(table).map(
      ([column, { comment }]) => `comment on column ${target}.${name(column)} is ${text(comment)}`,
    ),
  ];
}

const definitions = (table: ReadModelTable<object>): [string, { type: string; comment: string }][] =>
  Object.entries(table.columns);
