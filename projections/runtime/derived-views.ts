import pg from 'pg';
import { sha256Hex } from '../../src/kernel/canonical-json.js';
import { inTransaction } from '../../src/platform/database/open-database.js';

/**
 * Role for analysts, which an operator may create. It can read the views of read models and the derived
 * views.
 */
export const READER_ROLE = 'recount_reader';

/** A view computed from read models when it is queried. */
export interface DerivedView {
  readonly name: string;
  readonly comment: string;
  /** Columns in the order of the query. */
  readonly columns: Readonly<Record<string, { readonly type: string; readonly comment: string }>>;
  readonly sql: string;
}

/** Schema of the derived views. It keeps their names apart from those of read models. */
export const DERIVED_SCHEMA = 'analytics';

/** Qualified name of a derived view. */
export const derivedViewName = (view: string): string => `${DERIVED_SCHEMA}.${view}`;

/** Drops the derived views, so that the read models below them can be replaced. Each has a comment, and those of others have none. */
export const DROP_DERIVED_VIEWS = `do $$
declare views text;
begin
  select string_agg(format('%I.%I', '${DERIVED_SCHEMA}', relname), ', ') into views
  from pg_class where relnamespace = to_regnamespace('${DERIVED_SCHEMA}') and relkind = 'v'
    and obj_description(oid, 'pg_class') is not null;
  if views is not null then execute 'drop view ' || views; end if;
end $$`;

/**
 * Creates the derived views, in this order, where they differ from their definitions, and grants the reader
 * role access. Call it after the read models have the columns of this release.
 * @throws Error when a read model is missing
 */
export async function createDerivedViews(pool: pg.Pool, views: readonly DerivedView[]): Promise<void> {
  const fingerprint = sha256Hex(JSON.stringify(views));
  await inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('recount derived views'))`);
    if (!(await areAsDefined(client, views, fingerprint))) {
      await createDerivedSchema(client);
      await client.query(DROP_DERIVED_VIEWS);
      for (const view of views) for (const statement of derivedViewDdl(view)) await client.query(statement);
      await client.query(`comment on schema ${DERIVED_SCHEMA} is '${fingerprint}'`);
    }
    const { rows } = await client.query<{ is_missing: boolean }>(
      `select bool_or(not has_table_privilege(r.oid, c.oid, 'select')
         or not has_schema_privilege(r.oid, c.relnamespace, 'usage')) as is_missing
       from pg_roles r, pg_class c
       where r.rolname = $1 and c.relnamespace = to_regnamespace($2) and c.relkind = 'v'`,
      [READER_ROLE, DERIVED_SCHEMA],
    );
    if (!rows[0]?.is_missing) return;
    await client.query(`grant usage on schema ${DERIVED_SCHEMA} to ${READER_ROLE}`);
    await client.query(`grant select on all tables in schema ${DERIVED_SCHEMA} to ${READER_ROLE}`);
  });
}

/** Leaves a schema as it is that the operator has created for a role that may create none. */
async function createDerivedSchema(client: pg.PoolClient): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [DERIVED_SCHEMA]);
  if (rowCount === 0) await client.query(`create schema ${DERIVED_SCHEMA}`);
}

async function areAsDefined(
  client: pg.PoolClient,
  views: readonly DerivedView[],
  fingerprint: string,
): Promise<boolean> {
  const { rows } = await client.query<{ made: string | null; count: string }>(
    `select obj_description(to_regnamespace($1)::oid, 'pg_namespace') as made,
       (select count(*) from pg_class
         where relnamespace = to_regnamespace($1) and relkind = 'v' and relname = any($2)) as count`,
    [DERIVED_SCHEMA, views.map(({ name: view }) => view)],
  );
  return rows[0]!.made === fingerprint && Number(rows[0]!.count) === views.length;
}

const { escapeIdentifier: name, escapeLiteral: text } = pg;

/** Statements that create a derived view, with comments. @param schema of the view and of the derived views that it reads */
export function derivedViewDdl(
  { name: view, comment, columns, sql }: DerivedView,
  schema = DERIVED_SCHEMA,
): string[] {
  const target = `${schema}.${name(view)}`;
  const named = Object.keys(columns).map(name).join(', ');
  return [
    `create view ${target} (${named}) as ${sql.replaceAll(`${DERIVED_SCHEMA}.`, `${schema}.`)}`,
    `comment on view ${target} is ${text(comment)}`,
    ...Object.entries(columns).map(
      ([column, { comment: about }]) => `comment on column ${target}.${name(column)} is ${text(about)}`,
    ),
  ];
}
