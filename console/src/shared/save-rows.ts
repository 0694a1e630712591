import { toCsv } from './csv.js';
import type { Column } from './data-table.js';
import { saveFile } from './save-file.js';

/** Downloads rows as a CSV file, with the columns that have plain values. */
export function saveRows<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const written = columns.flatMap(
    ({ header, value, exported }) => exported?.(rows) ?? (value ? [{ header, value }] : []),
  );
  const lines = rows.map((row) => written.map(({ value }) => value(row)));
  saveFile(`${name}.csv`, toCsv([written.map(({ header }) => header), ...lines]), 'text/csv');
}
