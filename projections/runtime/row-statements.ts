import pg from 'pg';
import type { ReadModelTable } from './projection.js';
import { columnsOf, tableOf } from './read-model-ddl.js';

/** What is done to one table, whole batches each; rows travel as one JSON array in the table's own row type. */
export interface RowStatements {
  /** $1: keys. Answers the stored rows, each with the index of its key as `#`. */
  readonly load: string;
  /** A member of a WITH that has a member `moved`. @param rows the parameter with complete rows */
  readonly upsert: (rows: string) => string;
  /** A member of a WITH that has a member `moved`. @param keys the parameter with keys */
  readonly remove: (keys: string) => string;
}

export function rowStatements(view: string, version: number, table: ReadModelTable<object>): RowStatements {
  const quote = pg.escapeIdentifier;
  const target = quote(tableOf(view, version));
  const given = (rows: string): string => `json_populate_recordset(null::${target}, ${rows}::json)`;
  const key = (table.key as readonly string[]).map(quote);
  const columns = columnsOf(table).map(quote);
  const rest = columns.filter((column) => !key.includes(column));
  const sameKey = key.map((column) => `t.${column} = given.${column}`).join(' and ');
  const update = rest.map((column) => `${column} = excluded.${column}`).join(', ');
  return {
    load: `select given.ordinality::int - 1 as "#", t.*
      from ${given('$1')} with ordinality as given join ${target} t on ${sameKey}`,
    upsert: (rows) =>
      `insert into ${target} (${columns.join(', ')}) select ${columns.join(', ')} from ${given(rows)}
       where exists (select from moved)
       on conflict (${key.join(', ')}) do ${update === '' ? 'nothing' : `update set ${update}`}`,
    remove: (keys) =>
      `delete from ${target} t using ${given(keys)} as given where ${sameKey} and exists (select from moved)`,
  };
}
