import type { RowStatement, RowStatements } from './row-statements.js';
import type { Row, TouchedRow } from './touched-rows.js';

/** What a batch does to one table. */
export interface RowWrite {
  readonly statement: RowStatement;
  readonly rows: readonly Row[];
}

/** Of rows that are there only what has changed is written: they are wide, and most changes are of a state or two. */
export function writesOf(statements: RowStatements, touched: readonly TouchedRow[]): RowWrite[] {
  const put: Row[] = [];
  const gone: Row[] = [];
  const updated: Row[] = [];
  const columns = new Set<string>();
  for (const { key, isReplaced, stored, current } of touched) {
    if (!isReplaced && current === stored) continue;
    if (!current) gone.push(key);
    else if (!stored) put.push(current);
    else if (addChanged(columns, key, stored, current)) updated.push(current);
  }
  const writes: RowWrite[] = [
    { statement: statements.upsert, rows: put },
    { statement: statements.update([...columns].sort()), rows: updated },
    { statement: statements.remove, rows: gone },
  ];
  return writes.filter(({ rows }) => rows.length > 0);
}

/** Whether a column has another value, and which; what is no plain value has one unless it is the same object. */
function addChanged(columns: Set<string>, key: Row, stored: Row, current: Row): boolean {
  let changed = false;
  for (const column in current) {
    if (current[column] === stored[column] || column in key) continue;
    columns.add(column);
    changed = true;
  }
  return changed;
}
