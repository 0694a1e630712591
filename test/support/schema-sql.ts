import type { Pool } from 'pg';

const TABLES = `
select c.oid::regclass::text as name, obj_description(c.oid) as comment,
  (select json_agg(json_build_object(
     'name', a.attname,
     'type', format_type(a.atttypid, a.atttypmod),
     'notNull', a.attnotnull,
     'default', pg_get_expr(d.adbin, d.adrelid),
     'comment', col_description(c.oid, a.attnum)) order by a.attnum)
   from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
  (select json_agg(pg_get_constraintdef(k.oid) order by k.contype desc, k.conname)
   from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c')) as constraints,
  (select json_agg(pg_get_indexdef(i.indexrelid) order by i.indexrelid::regclass::text)
   from pg_index i where i.indrelid = c.oid
     and not exists (select from pg_constraint k where k.conindid = i.indexrelid)) as indexes
from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`;

const FUNCTIONS = `
select pg_get_functiondef(p.oid) as definition from pg_proc p
where p.pronamespace = 'public'::regnamespace order by p.proname`;

const TRIGGERS = `
select pg_get_triggerdef(t.oid) as definition from pg_trigger t join pg_class c on c.oid = t.tgrelid
where c.relnamespace = 'public'::regnamespace and not t.tgisinternal order by t.tgname`;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly default: string | null;
  readonly comment: string | null;
}

interface Table {
  readonly name: string;
  readonly comment: string | null;
  readonly columns: readonly Column[];
  readonly constraints: readonly string[] | null;
  readonly indexes: readonly string[] | null;
}

/** Writes the schema of a database as SQL, read from the catalogs of PostgreSQL. */
export async function schemaSql(pool: Pool): Promise<string> {
  const tables = (await pool.query<Table>(TABLES)).rows;
  const functions = (await pool.query<{ definition: string }>(FUNCTIONS)).rows;
  const triggers = (await pool.query<{ definition: string }>(TRIGGERS)).rows;
  const parts = [
    '-- The schema that the migrations make (src/migrations.ts), without the read models (docs/read-models.md).',
    '-- Generated: npm run docs:schema. test/platform/database/schema.spec.ts holds that it is current.',
    ...tables.map(tableSql),
    ...[...functions, ...triggers].map(({ definition }) => `${definition.trim()};`),
  ];
  return `${parts.join('\n\n').replace('\n\n-- Generated', '\n-- Generated')}\n`;
}

function tableSql({ name, comment, columns, constraints, indexes }: Table): string {
  const lines: (readonly [sql: string, comment: string | null])[] = [
    ...columns.map((column) => [columnSql(column), column.comment] as const),
    ...(constraints ?? []).map((constraint) => [constraint, null] as const),
  ];
  const body = lines.map(([sql, about], index) => {
    const comma = index < lines.length - 1 ? ',' : '';
    return `  ${sql}${comma}${about ? ` -- ${about}` : ''}`;
  });
  return [
    ...(comment ? [`-- ${comment}`] : []),
    `CREATE TABLE ${name} (`,
    ...body,
    ');',
    ...(indexes ?? []).map((index) => `${index};`),
  ].join('\n');
}

const columnSql = ({ name, type, notNull, default: value }: Column): string =>
  `${name} ${type}${notNull ? ' NOT NULL' : ''}${value === null ? '' : ` DEFAULT ${value}`}`;
