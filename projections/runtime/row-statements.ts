import pg from 'pg';
import type { ReadModelTable } from './projection.js';
import { columnsOf, tableOf } from './read-model-ddl.js';

/** The three statements of one table, whole batches each; rows travel as one JSON array in the table's own row type. */
export interface RowStatements {
  /** $1: keys. Answers the stored rows, each with the index of its key as `#`. */
  readonly load: { readonly name: string; readonly text: string };
  /** $1: complete rows. */
  readonly upsert: { readonly name: string; readonly text: string };
  /** $1: keys. */
  readonly remove: { readonly name: string; readonly text: string };
}

export function rowStatements(view: string, version: number, table: ReadModelTable<object>): RowStatements {
  const quote = pg.escapeIdentifier;
  const target = quote(tableOf(view, version));
  const given = `json_populate_recordset(null::${target}, $1::json)`;
  const key = (table.key as readonly string[]).map(quote);
  const columns = columnsOf(table).map(quote);
  const rest = columns.filter((column) => !key.includes(column));
  const sameKey = key.map((column) => `t.${column} = given.${column}`).join(' and ');
  const update = rest.map((column) => `${column} = excluded.${column}`).join(', ');
  const named = (verb: string, text: string): { name: string; text: string } => ({
    name: `${verb}-${tableOf(view, version)}`,
    text,
  });
  return {
    load: named(
      'load',
      `select given.ordinality::int - 1 as "#", t.* from ${given} with ordinality as given join ${target} t on ${sameKey}`,
    ),
    upsert: named(
      'upsert',
      `insert into ${target} (${columns.join(', ')}) select ${columns.join(', ')} from ${given}
       on conflict (${key.join(', ')}) do ${update === '' ? 'nothing' : `update set ${update}`}`,
    ),
    remove: named('remove', `delete from ${target} t using ${given} as given where ${sameKey}`),
  };
}
