import type pg from 'pg';

/** A table, view or function, or a part of one, as the catalogs of PostgreSQL describe it. */
export interface SchemaObject {
  /** Table, view or function that the object is or belongs to, such as `table events`. */
  readonly owner: string;
  /** Names the object in a sentence, such as `its column revision`; equal objects of two schemas have equal names. */
  readonly name: string;
  readonly definition: string;
  /** True if the definition is too long for a sentence. */
  readonly isLong?: boolean;
  /** True if it changes nothing but the speed of statements. */
  readonly isHarmless: boolean;
}

/** Name of the relation `c` of a catalog query. */
const OWNER = `case c.relkind when 'v' then 'view ' else 'table ' end || $2 || c.relname`;
const OF_SCHEMA = `c.relnamespace = $1::regnamespace and c.relkind in ('r', 'v')`;

const RELATIONS = `
select ${OWNER} as owner, case c.relkind when 'v' then '' else 'its storage' end as name, false as "isHarmless",
  c.relkind = 'v' as "isLong",
  case c.relkind when 'v' then pg_get_viewdef(c.oid) || coalesce(c.reloptions::text, '')
  else concat_ws(', ', case c.relpersistence when 'p' then 'permanent' else 'unlogged' end,
    case when c.relrowsecurity then 'with row security' end,
    (select 'with the rows of ' || string_agg(inhrelid::regclass::text, ', ') from pg_inherits where inhparent = c.oid)) end
    as definition
from pg_class c where ${OF_SCHEMA}`;

const COLUMNS = `
select ${OWNER} as owner, 'its column ' || a.attname as name, false as "isHarmless",
  concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
    case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
    nullif(a.attidentity::text, ''), nullif(a.attgenerated::text, ''),
    'default ' || pg_get_expr(d.adbin, d.adrelid)) as definition
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where ${OF_SCHEMA}`;

const CONSTRAINTS = `
select ${OWNER} as owner, 'its constraint ' || pg_get_constraintdef(k.oid, true) as name, '' as definition, false as "isHarmless"
from pg_class c join pg_constraint k on k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x') where ${OF_SCHEMA}`;

const INDEXES = `
select ${OWNER} as owner, not i.indisunique as "isHarmless", case when i.indisvalid then 'valid' else 'not valid' end as definition,
  'its index ' || regexp_replace(pg_get_indexdef(i.indexrelid, 0, true), '^CREATE (UNIQUE )?INDEX \\S+ ON \\S+ ', '\\1') as name
from pg_class c join pg_index i on i.indrelid = c.oid
where ${OF_SCHEMA} and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)`;

const TRIGGERS = `
select ${OWNER} as owner, 'its trigger ' || t.tgname as name, false as "isHarmless",
  pg_get_triggerdef(t.oid, true) || case t.tgenabled when 'O' then '' else ' (' || t.tgenabled::text || ')' end as definition
from pg_class c join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal where ${OF_SCHEMA}`;

const RULES = `
select ${OWNER} as owner, 'its rule ' || r.rulename as name, pg_get_ruledef(r.oid, true) as definition, false as "isHarmless"
from pg_class c join pg_rewrite r on r.ev_class = c.oid and r.rulename <> '_RETURN' where ${OF_SCHEMA}`;

const POLICIES = `
select ${OWNER} as owner, 'its policy ' || p.polname as name, false as "isHarmless",
  concat_ws(' ', p.polcmd::text, pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)) as definition
from pg_class c join pg_policy p on p.polrelid = c.oid where ${OF_SCHEMA}`;

const FUNCTIONS = `
select 'function ' || $2 || p.proname as owner, '(' || pg_get_function_identity_arguments(p.oid) || ')' as name,
  replace(pg_get_functiondef(p.oid), ' FUNCTION ' || $1 || '.', ' FUNCTION ') as definition, false as "isHarmless",
  true as "isLong"
from pg_proc p where p.pronamespace = $1::regnamespace and p.prokind in ('f', 'p')`;

const STATEMENTS = [RELATIONS, COLUMNS, CONSTRAINTS, INDEXES, TRIGGERS, RULES, POLICIES, FUNCTIONS];

/**
 * Reads the objects of a schema, with names that the search path of the connection finds.
 * @param schema as an identifier of SQL
 * @param prefix of the names of tables, views and functions in sentences
 */
export async function schemaObjects(
  db: Pick<pg.ClientBase, 'query'>,
  schema: string,
  prefix = '',
): Promise<SchemaObject[]> {
  const objects: SchemaObject[] = [];
  for (const text of STATEMENTS) {
    objects.push(...(await db.query<SchemaObject>(text, [schema, prefix])).rows);
  }
  return objects;
}

/**
 * Compares objects with the expected ones. Tables, views and functions beside the expected ones, and indexes that are not
 * unique, are no difference.
 * @returns a sentence for each difference
 */
export function differencesOfSchema(
  expected: readonly SchemaObject[],
  actual: readonly SchemaObject[],
): string[] {
  const [wanted, found] = [byName(expected), byName(actual)];
  const [owners, foundOwners] = [ownersOf(expected), ownersOf(actual)];
  const missing = [...owners]
    .filter((owner) => !foundOwners.has(owner))
    .map((owner) => `${owner} is missing`);
  const differing = expected
    .filter(({ owner }) => foundOwners.has(owner))
    .flatMap((object) => {
      const one = found.get(nameOf(object));
      if (!one) return [`${nameOf(object)} is missing`];
      return one.definition === object.definition ? [] : [differenceOf(object, one)];
    });
  const added = actual
    .filter((one) => !one.isHarmless && owners.has(one.owner) && !wanted.has(nameOf(one)))
    .map((one) => `${nameOf(one)} is none of this release`);
  return [...missing, ...differing, ...added].sort();
}

/** Describes two definitions of an object; those of views and functions are too long for a sentence. */
function differenceOf(expected: SchemaObject, actual: SchemaObject): string {
  if (expected.isLong) return `${nameOf(expected)} has another definition than this release gives it`;
  return `${nameOf(expected)} is ${actual.definition}, by this release ${expected.definition}`;
}

const nameOf = ({ owner, name }: SchemaObject): string => (name === '' ? owner : `${owner}: ${name}`);

const byName = (objects: readonly SchemaObject[]): ReadonlyMap<string, SchemaObject> =>
  new Map(objects.map((object) => [nameOf(object), object]));

const ownersOf = (objects: readonly SchemaObject[]): ReadonlySet<string> =>
  new Set(objects.map(({ owner }) => owner));
