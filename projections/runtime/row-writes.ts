import type { RowStatement, RowStatements } from './row-statements.js';
import type { Row, TouchedRow } from './touched-rows.js';

/** What a batch does to one table. */
export interface RowWrite {
  readonly statement: RowStatement;
  readonly rows: readonly Row[];
}

/**
 * Of rows that are there only what has changed is written: they are wide, and most changes are of a state or two. Rows
 * share the statement of those that have the same unread columns: one without cannot be given back what it was loaded
 * without.
 */
export function writesOf(statements: RowStatements, touched: readonly TouchedRow[]): RowWrite[] {
  const put: Row[] = [];
  const gone: Row[] = [];
  const updated = new Map<string, { readonly rows: Row[]; readonly columns: Set<string> }>();
  for (const { key, isReplaced, stored, current } of touched) {
    if (!isReplaced && current === stored) continue;
    if (!current) gone.push(key);
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
    { statement: statements.remove, rows: gone },
  ];
  return writes.filter(({ rows }) => rows.length > 0);
}

/** What is no plain value has changed unless it is the same object. */
const changedColumns = (key: Row, stored: Row, current: Row): string[] =>
  Object.keys(current).filter((column) => current[column] !== stored[column] && !(column in key));
