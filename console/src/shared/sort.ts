import type { CsvValue } from './csv.js';

export interface Sort {
  readonly column: string;
  readonly direction: 'ascending' | 'descending';
}

/** Sort order in an address: `name`, or `-name` for descending. */
export const parseSort = (text: string | undefined): Sort | undefined => {
  if (text === undefined || text === '') return undefined;
  return text.startsWith('-')
    ? { column: text.slice(1), direction: 'descending' }
    : { column: text, direction: 'ascending' };
};

export const formatSort = (sort: Sort | undefined): string | undefined =>
  sort && (sort.direction === 'descending' ? `-${sort.column}` : sort.column);

/** Returns the order after a press: ascending, then descending, then the initial one. */
export function nextSort(sort: Sort | undefined, column: string, initial?: Sort): Sort | undefined {
  if (sort?.column !== column) return { column, direction: 'ascending' };
  if (sort.direction === 'ascending') return { column, direction: 'descending' };
  return initial?.column === column ? { column, direction: 'ascending' } : initial;
}

const TEXT = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compare(a: CsvValue, b: CsvValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return TEXT.compare(String(a), String(b));
}

interface SortableColumn<Row> {
  readonly id: string;
  readonly value?: (row: Row) => CsvValue;
  /** Unit in which values are comparable. */
  readonly group?: (row: Row) => string;
}

/** Rows without a value are last in both directions; rows of one group stay together, in the order of its name. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const column = columns.find(({ id }) => id === sort?.column);
  if (!column?.value || !sort) return rows;
  const sign = sort.direction === 'ascending' ? 1 : -1;
  const { value, group = () => '' } = column;
  return rows.toSorted((a, b) => {
    const byGroup = TEXT.compare(group(a), group(b));
    if (byGroup !== 0) return byGroup;
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1;
    return sign * compare(left, right);
  });
}
