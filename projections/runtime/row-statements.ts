import pg from 'pg';
import { columnArrays, type ColumnArrays } from './column-arrays.js';
import type { ReadModelTable } from './projection.js';
import { columnsOf, tableOf } from './read-model-ddl.js';

/** A member of a WITH that has a member `moved`, for whole batches, and what it is given. */
export interface RowStatement extends Pick<ColumnArrays, 'values'> {
  /** @param first number of the first of its parameters */
  readonly text: (first: number) => string;
}

/** What is done to one table. */
export interface RowStatements {
  /** Columns that rows are loaded without. */
  readonly unread: readonly string[];
  /**
   * Not a member: a statement of its own. Given keys, it answers the stored rows without their unread columns, each with
   * the index of its key as `#`.
   */
  readonly load: RowStatement;
  /** Given complete rows. */
  readonly upsert: RowStatement;
  /** Given rows that are there, of which only these columns change. */
  readonly update: (columns: readonly string[]) => RowStatement;
  /** Given keys. */
  readonly remove: RowStatement;
}

export function rowStatements(view: string, version: number, table: ReadModelTable<object>): RowStatements {
  const quote = pg.escapeIdentifier;
  const target = quote(tableOf(view, version));
  const types = table.columns as Readonly<
    Record<string, { readonly type: string; readonly isUnread?: true }>
  >;
  const given = (names: readonly string[]): ColumnArrays =>
    columnArrays(
      names.map((name) => ({ name, type: types[name]!.type.replace(/ not null$/, '') })),
      quote,
    );
  const statement = (names: readonly string[], text: (rows: string) => string): RowStatement => {
    const { relation, values } = given(names);
    return { text: (first) => text(relation(first)), values };
  };

  const all = columnsOf(table);
  const keys = table.key as readonly string[];
  const rest = all.filter((name) => !keys.includes(name));
  const columns = all.map(quote).join(', ');
  const unread = all.filter((name) => types[name]!.isUnread);
  const read = all.filter((name) => !unread.includes(name)).map((name) => `t.${quote(name)}`);
  const key = keys.map(quote);
  const sameKey = key.map((column) => `t.${column} = given.${column}`).join(' and ');
  const set = (names: readonly string[], from: string): string =>
    names.map((name) => `${quote(name)} = ${from}.${quote(name)}`).join(', ');
  return {
    unread,
    load: statement(
      keys,
      (rows) =>
        `select given."#"::int - 1 as "#", ${read.join(', ')} from ${rows} join ${target} t on ${sameKey}`,
    ),
    upsert: statement(
      all,
      (rows) =>
        `insert into ${target} (${columns}) select ${columns} from ${rows} where exists (select from moved)
         on conflict (${key.join(', ')}) do ${rest.length === 0 ? 'nothing' : `update set ${set(rest, 'excluded')}`}`,
    ),
    update: (names) =>
      statement(
        [...keys, ...names],
        (rows) =>
          `update ${target} t set ${set(names, 'given')} from ${rows} where ${sameKey} and exists (select from moved)`,
      ),
    remove: statement(
      keys,
      (rows) => `delete from ${target} t using ${rows} where ${sameKey} and exists (select from moved)`,
    ),
  };
}
