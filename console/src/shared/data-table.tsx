import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.js';
import type { CsvValue } from './csv.js';
import styles from './data-table.module.css';
import { nextSort, sortRows, type Sort } from './sort.js';

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Plain value, for sorting and for the CSV. */
  readonly value: (row: Row) => CsvValue;
  /** `end` for numbers. */
  readonly align?: 'end';
  /** Hidden on a phone. */
  readonly isMinor?: boolean;
}

interface DataTableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined before the first answer. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly sort?: Sort | undefined;
  /** Without it the headers do not sort. */
  readonly onSort?: (sort: Sort | undefined) => void;
  /** Text in each header about the limit of sorting. */
  readonly sortHint?: string;
  readonly empty: ReactNode;
  /** Another page is under way: these rows are about to be replaced. */
  readonly isStale?: boolean;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, sort, onSort, sortHint, empty, isStale = false } = props;
  if (rows?.length === 0) return empty;
  const shown = rows && sortRows(rows, columns, sort);
  return (
    <div className={styles.frame} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table} aria-busy={rows === undefined || isStale}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} hint={sortHint} />
            ))}
          </tr>
        </thead>
        <tbody className={isStale ? styles.stale : undefined}>
          {shown?.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td key={column.id} className={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          )) ?? <SkeletonRows columns={columns.length} />}
        </tbody>
      </table>
    </div>
  );
}

const cellClass = <Row,>({ align, isMinor = false }: Column<Row>): string =>
  classNames(align === 'end' && styles.end, isMinor && styles.minor);

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: ((sort: Sort | undefined) => void) | undefined;
  readonly hint: string | undefined;
}

function HeaderCell<Row>({ column, sort, onSort, hint }: HeaderCellProps<Row>) {
  const { id, header } = column;
  const direction = sort?.column === id ? sort.direction : undefined;
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp;
  return (
    <th scope="col" className={cellClass(column)} aria-sort={direction ?? (onSort ? 'none' : undefined)}>
      {onSort ? (
        <button type="button" className={styles.sort} title={hint} onClick={() => onSort(nextSort(sort, id))}>
          {header}
          {direction && <Arrow size={12} aria-hidden />}
        </button>
      ) : (
        header
      )}
    </th>
  );
}

function SkeletonRows({ columns }: { readonly columns: number }) {
  return Array.from({ length: 8 }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <span className={styles.skeleton} />
        </td>
      ))}
    </tr>
  ));
}
