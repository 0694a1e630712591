import type { Pool } from 'pg';

/** A change of one table and column (for JSON, the path of a member). */
export interface Change {
  readonly table: string;
  readonly column: string;
  readonly kind: 'change' | 'swap' | 'delete' | 'copy' | 'cut tail';
  readonly statements: readonly string[];
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Maximum number of changed rows per table, spread evenly. */
const MAX_ROWS = 24;

/** Returns another value for a column; undefined for unknown types. */
function otherValue({ name, type }: Column): string | undefined {
  switch (type) {
    case 'uuid':
      return `md5(coalesce(${name}::text, ''))::uuid`;
    case 'text':
      return `coalesce(${name}, '') || '1'`;
    case 'bigint':
    case 'smallint':
    case 'integer':
    case 'numeric':
      return `coalesce(${name}, 0) + 1`;
    case 'boolean':
      return `not coalesce(${name}, false)`;
    case 'timestamp with time zone':
      return `coalesce(${name}, '2026-01-01') + interval '1 second'`;
    case 'date':
      return `coalesce(${name}, '2026-01-01') + 1`;
    case 'bytea':
      return `sha256(coalesce(${name}, ''))`;
    case 'jsonb':
      return `jsonb_build_array(${name})`;
    case 'text[]':
    case 'uuid[]':
      return `${name} || array[gen_random_uuid()]::${type}`;
    default:
      return undefined;
  }
}

/**
 * Returns every change of one row of a table: of its columns, a swap of two rows, a deletion, a copy and a
 * truncation.
 */
export async function changesOfTable(pool: Pool, table: string): Promise<Change[]> {
  const { rows: columns } = await pool.query<Column & { is_key: boolean }>(
    `select a.attname as name, format_type(a.atttypid, null) as type, exists (
       select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any (i.indkey)) as is_key
     from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table],
  );
  const { rows } = await pool.query<{ size: string }>(`select count(*) as size from ${table}`);
  const size = Number(rows[0]!.size);
  if (size === 0) return [];
  const at = (row: number) => `(select ctid from ${table} t order by t::text offset ${row} limit 1)`;
  const chosen = Math.min(size, MAX_ROWS);
  const places = Array.from({ length: chosen }, (_, one) => Math.floor((one * size) / chosen));
  const [first, last] = [0, size - 1];
  const changes: Change[] = places.map((row) => ({
    table,
    column: '(row)',
    kind: 'delete',
    statements: [`delete from ${table} where ctid = ${at(row)}`],
  }));
  changes.push({
    table,
    column: '(rows)',
    kind: 'cut tail',
    statements: [`delete from ${table} where ctid in (select ctid from ${table} order by ctid desc limit 3)`],
  });
  const key = columns.findLast((column) => column.is_key && otherValue(column));
  if (key) {
    const values = columns.map((column) => (column === key ? otherValue(key) : column.name));
    changes.push({
      table,
      column: '(row)',
      kind: 'copy',
      statements: [`insert into ${table} select ${values.join()} from ${table} where ctid = ${at(last)}`],
    });
  }
  for (const column of columns) {
    const { name, type } = column;
    if (type === 'json') continue; // its members are changed one by one
    const other = otherValue(column);
    if (!other) throw new Error(`${table}.${name} has the type ${type}, for which there is no other value`);
    for (const row of places) {
      const statements = [`update ${table} set ${name} = ${other} where ctid = ${at(row)}`];
      changes.push({ table, column: name, kind: 'change', statements });
    }
    changes.push({
      table,
      column: name,
      kind: 'swap',
      statements: [
        `update ${table} a set ${name} = b.${name} from ${table} b where a.ctid in (${at(first)}, ${at(last)})
           and b.ctid in (${at(first)}, ${at(last)}) and a.ctid <> b.ctid and a.${name} is distinct from b.${name}`,
      ],
    });
  }
  return changes;
}

/** Changes and removes every member of the JSON of events. */
async function changesOfEvents(pool: Pool): Promise<Change[]> {
  const { rows } = await pool.query<{ position: string; type: string; data: object; metadata: object }>(
    'select position, type, data, metadata from events order by position',
  );
  return rows.flatMap(({ position, type, data, metadata }) =>
    Object.entries({ data, metadata }).flatMap(([column, value]) =>
      [...leavesOf(value)].flatMap(({ path, other }): Change[] => {
        const member = `${column === 'data' ? type : column}.${path.map((part) => (/^\d+$/.test(part) ? '#' : part)).join('.')}`;
        const [at, text] = [`'{${path.join()}}'`, JSON.stringify(other).replaceAll("'", "''")];
        const written = (kind: Change['kind'], json: string): Change => ({
          table: 'events',
          column: member,
          kind,
          statements: [`update events set ${column} = (${json})::json where position = ${position}`],
        });
        return [
          written('change', `jsonb_set(${column}::jsonb, ${at}, '${text}')`),
          written('delete', `${column}::jsonb #- ${at}`),
        ];
      }),
    ),
  );
}

/** A scalar member of JSON, with another value of its type. */
export interface Leaf {
  readonly path: readonly string[];
  readonly other: unknown;
}

export function* leavesOf(value: unknown, path: readonly string[] = []): Generator<Leaf> {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, [...path, name]);
  } else {
    yield { path, other: otherJson(value) };
  }
}

function otherJson(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return value === null ? '1' : [1];
  if (/^-?\d{1,15}$/.test(value)) return String(Number(value) + 1);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return value.replace(/^(\d{3})./, '$17');
  if (/^[0-9a-f]{8,}(-|$)/.test(value)) return value.replace(/^./, (digit) => (digit === 'a' ? 'b' : 'a'));
  return `${value}1`;
}

/** Returns all changes of these tables. */
export async function changesOf(pool: Pool, tables: readonly string[]): Promise<Change[]> {
  const changes: Change[] = [];
  for (const table of tables) changes.push(...(await changesOfTable(pool, table)));
  return [...changes, ...(await changesOfEvents(pool))];
}
