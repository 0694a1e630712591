import pg from 'pg';
import type { Projection, ReadModelTable } from './projection.js';
import { columnNamesOf, buildTableOf } from './read-model-tables.js';
import { rowHash, type RowHashes } from './running-sums.js';
import type { Row, TouchedRow, TouchedRows } from './touched-rows.js';

/** Loads and writes the rows of a projection that a batch touches. */
export class ProjectionRows {
  private readonly statements: ReadonlyMap<string, RowStatements>;

  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    { version, tables }: Projection,
  ) {
    const entries = Object.entries(tables).map(
      ([view, table]) => [view, rowStatements(view, version, table)] as const,
    );
    this.statements = new Map(entries);
  }

  /** Loads the stored rows, except those that the batch replaces. */
  async load({ tables }: TouchedRows): Promise<void> {
    await Promise.all([...tables].map(([table, rows]) => this.loadOf(table, [...rows.values()])));
  }

  /**
   * Writes the folded rows in one statement.
   * @param moved text of the member `moved`, without whose row nothing is written
   * @param given values of that member
   * @param sumsOf returns a member that sums the hashes of the rows before and after
   * @returns whether `moved` had a row
   */
  async write(
    { tables }: TouchedRows,
    moved: string,
    given: readonly unknown[],
    sumsOf?: (hashes: readonly RowHashes[]) => string,
  ): Promise<boolean> {
    const values = [...given];
    const writes = [...tables].flatMap(([table, rows]) =>
      rowWrites(this.statements.get(table)!, [...rows.values()]).map((write) => ({ table, ...write })),
    );
    const hashes: RowHashes[] = [];
    const members = writes.map(({ table, statement, rows }, index) => {
      const first = values.length + 1;
      values.push(...statement.values(rows));
      const written = `write_${index}`;
      if (!sumsOf) return `, ${written} as (${statement.text(first)})`;
      const summed = `, ${written} as (${statement.text(first)} returning ${ROW_HASHES})`;
      if (statement.isRemoval) hashes.push({ table, before: [written], after: [] });
      if (statement.isRemoval) return summed;
      const stored = statement.stored?.(first);
      hashes.push({ table, before: stored ? [`stored_${index}`] : [], after: [written] });
      return stored ? `, stored_${index} as (${stored})${summed}` : summed;
    });
    const sums = sumsOf && hashes.length > 0 ? sumsOf(hashes) : '';
    const { rowCount } = await this.pool.query({
      text: `with moved as (${moved})${members.join('')}${sums} select from moved`,
      values,
    });
    return rowCount !== 0;
  }

  private async loadOf(table: string, rows: readonly TouchedRow[]): Promise<void> {
    const needed = rows.filter((row) => !row.isReplaced);
    if (needed.length === 0) return;
    const { text, values } = this.statements.get(table)!.load;
    const keys = values(needed.map((row) => row.key));
    const result = await this.pool.query<{ '#': number }>({ text: text(1), values: keys });
    for (const { '#': index, ...stored } of result.rows)
      needed[index]!.stored = needed[index]!.current = stored;
  }
}

/** Member of a WITH clause beside a member `moved`, and its parameters, for whole batches. */
interface RowStatement extends Pick<ColumnArrays, 'values'> {
  /** @param first number of the first parameter */
  readonly text: (first: number) => string;
}

/** Member that writes rows of a table `t`. */
interface WriteStatement extends RowStatement {
  /** Returns the SQL of `ROW_HASHES` of the rows as they are stored, with the parameters of `text`. */
  readonly stored?: RowStatement['text'];
  readonly isRemoval?: true;
}

/** Organization and hash of a row of `t`. */
const ROW_HASHES = `t.org, ${rowHash('t')} as hash`;

/** Statements of one table. */
export interface RowStatements {
  /** Columns that are not loaded. */
  readonly unread: readonly string[];
  /**
   * Loads stored rows by their keys, without the unread columns, each with the index of its key as `#`. A
   * statement of its own, not a member.
   */
  readonly load: RowStatement;
  /** Writes complete rows. */
  readonly upsert: WriteStatement;
  /** Updates these columns of rows that exist. */
  readonly update: (columns: readonly string[]) => WriteStatement;
  /** Deletes rows by their keys. */
  readonly remove: WriteStatement;
}

export function rowStatements(view: string, version: number, table: ReadModelTable<object>): RowStatements {
  const quote = pg.escapeIdentifier;
  const target = quote(buildTableOf(view, version));
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

  const all = columnNamesOf(table);
  const keys = table.key as readonly string[];
  const rest = all.filter((name) => !keys.includes(name));
  const columns = all.map(quote).join(', ');
  const unread = all.filter((name) => types[name]!.isUnread);
  const read = all.filter((name) => !unread.includes(name)).map((name) => `t.${quote(name)}`);
  const key = keys.map(quote);
  const sameKey = key.map((column) => `t.${column} = given.${column}`).join(' and ');
  const stored = (names: readonly string[]): RowStatement['text'] => {
    const { relation } = given(names);
    return (first) =>
      `select ${ROW_HASHES} from ${relation(first, keys)} join ${target} t on ${sameKey} where exists (select from moved)`;
  };
  const set = (names: readonly string[], from: string): string =>
    names.map((name) => `${quote(name)} = ${from}.${quote(name)}`).join(', ');
  return {
    unread,
    load: statement(
      keys,
      (rows) =>
        `select given."#"::int - 1 as "#", ${read.join(', ')} from ${rows} join ${target} t on ${sameKey}`,
    ),
    upsert: {
      ...statement(
        all,
        (rows) =>
          `insert into ${target} as t (${columns}) select ${columns} from ${rows} where exists (select from moved)
           on conflict (${key.join(', ')}) do ${rest.length === 0 ? 'nothing' : `update set ${set(rest, 'excluded')}`}`,
      ),
      // A row with nothing but its key stays as it is, and is not returned.
      ...(rest.length > 0 && { stored: stored(all) }),
    },
    update: (names) => ({
      ...statement(
        [...keys, ...names],
        (rows) =>
          `update ${target} t set ${set(names, 'given')} from ${rows} where ${sameKey} and exists (select from moved)`,
      ),
      stored: stored([...keys, ...names]),
    }),
    remove: {
      ...statement(
        keys,
        (rows) => `delete from ${target} t using ${rows} where ${sameKey} and exists (select from moved)`,
      ),
      isRemoval: true,
    },
  };
}

/**
 * Converts rows to statement parameters: one array per column, which `unnest` turns into rows. PostgreSQL
 * reads them in half the time of an array of JSON objects.
 */
export interface ColumnArrays {
  /**
   * Returns the SQL of the rows for a FROM clause.
   * @param first number of the first parameter
   * @param only names of the columns that the rows have; by default all
   */
  relation(first: number, only?: readonly string[]): string;
  /** Returns the parameters, in the order of the columns. */
  values(rows: readonly Row[]): string[];
}

/** @param columns name and type of each column: a scalar type or jsonb */
export function columnArrays(
  columns: readonly { readonly name: string; readonly type: string }[],
  quote: (name: string) => string,
): ColumnArrays {
  const numbered = columns.map(({ name, type }, index) => ({ name, type, index }));
  return {
    // The subquery hides the length of the arrays, so the join is planned for ten rows and uses the primary key. Planned
    // for a whole batch, it would scan a table of ten thousand rows each time.
    relation: (first, only) => {
      const part = only ? numbered.filter(({ name }) => only.includes(name)) : numbered;
      const arrays = part.map(({ type, index }) => `(select $${first + index}::${type}[])`);
      const names = part.map(({ name }) => quote(name));
      return `unnest(${arrays.join(', ')}) with ordinality as given (${names.join(', ')}, "#")`;
    },
    values: (rows) =>
      columns.map(({ name, type }) =>
        arrayLiteral(rows.map(type === 'jsonb' ? (row) => jsonOf(row[name]) : (row) => row[name])),
      ),
  };
}

const jsonOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/** Writes an array literal from JSON: the brackets differ, and a backslash precedes the character itself. */
function arrayLiteral(elements: readonly unknown[]): string {
  const json = JSON.stringify(elements).slice(1, -1);
  return `{${OTHER_ESCAPE.test(json) ? json.replace(ESCAPE, unescaped) : json}}`;
}

/** Escapes other than of quotes and backslashes, which JSON and array literals write alike. */
const OTHER_ESCAPE = /(?<!\\)(?:\\\\)*\\[^"\\]/;
const ESCAPE = /\\(?:u[0-9a-f]{4}|.)/g;

const unescaped = (escape: string): string =>
  escape === '\\"' || escape === '\\\\' ? escape : (JSON.parse(`"${escape}"`) as string);

/** Statement of a batch on one table, with its rows. */
interface RowWrite {
  readonly statement: WriteStatement;
  readonly rows: readonly Row[];
}

/**
 * Sorts the touched rows into upserts, updates and removals. An update writes only changed columns: rows are
 * wide, and most events change one or two columns. Rows loaded without their unread columns do not share an
 * update with complete rows.
 */
function rowWrites(statements: RowStatements, touched: readonly TouchedRow[]): RowWrite[] {
  const put: Row[] = [];
  const removed: Row[] = [];
  const updated = new Map<string, { readonly rows: Row[]; readonly columns: Set<string> }>();
  for (const { key, isReplaced, stored, current } of touched) {
    if (!isReplaced && current === stored) continue;
    if (!current) removed.push(key);
    else if (!stored) put.push(current);
    else {
      const changed = changedColumns(key, stored, current);
      if (changed.length === 0) continue;
      const has = statements.unread.filter((column) => column in current).join();
      const group = updated.get(has) ?? { rows: [], columns: new Set<string>() };
      updated.set(has, group);
      group.rows.push(current);
      for (const column of changed) group.columns.add(column);
    }
  }
  const writes: RowWrite[] = [
    { statement: statements.upsert, rows: put },
    ...[...updated.values()].map(({ rows, columns }) => ({
      statement: statements.update([...columns].sort()),
      rows,
    })),
    { statement: statements.remove, rows: removed },
  ];
  return writes.filter(({ rows }) => rows.length > 0);
}

/** Compares by identity: a new object counts as changed. */
const changedColumns = (key: Row, stored: Row, current: Row): string[] =>
  Object.keys(current).filter((column) => current[column] !== stored[column] && !(column in key));
