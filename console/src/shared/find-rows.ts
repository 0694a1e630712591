import type { Column } from './data-table.js';
import { formatInstant } from './instant.js';

/** Returns the rows that have every one of these words, as they are shown or as the CSV has them. */
export function findRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  words: string,
): readonly Row[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return rows;
  return rows.filter((row) => {
    const text = columns
      .map((column) => textOf(column, row))
      .join('\n')
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

function textOf<Row>({ value, zone }: Column<Row>, row: Row): string {
  const plain = value?.(row) ?? '';
  if (zone === undefined || typeof plain !== 'string' || plain === '') return String(plain);
  return `${plain} ${formatInstant(plain, zone)}`;
}
