import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { classNames } from './class-names.js';
import type { CsvColumn, CsvValue } from './csv.js';
import styles from './data-table.module.css';
import { ZoneOfColumn } from './instant.js';
import { nextSort, type Sort } from './sort.js';
import { SortChoice } from './sort-choice.js';
import { useTableFit } from './use-table-fit.js';
import { useIsNarrow } from './use-is-narrow.js';

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Plain value, for sorting and for the CSV; a column of buttons has none. */
  readonly value?: (row: Row) => CsvValue;
  /** Has values that no reader orders by, such as JSON: its header has no button. */
  readonly isUnsorted?: boolean;
  /** `end` for numbers. */
  readonly align?: 'end';
  /** Takes the room that is left, for sentences. */
  readonly isWide?: boolean;
  /** Names the row for screen readers. */
  readonly isRowHeader?: boolean;
  /** Stands in a line below the others on a phone, and first where the table has no room, the last one first. */
  readonly isMinor?: boolean;
  /** Time zone of the times in it; the header names it. */
  readonly zone?: string | undefined;
  /** Name by which the service orders the list; without it the browser sorts. */
  readonly ordering?: string;
  /**
   * Has names with numbers, such as Plan 2 and Plan 10. The service compares them letter by letter, so the browser sorts
   * them where it can hold the list.
   */
  readonly hasNumberedNames?: boolean;
  /**
   * Order of the service as part of a sentence, where it is another than that of the values. The browser sorts the
   * column where it can hold the list.
   */
  readonly orderingNote?: string;
  /** Unit in which values are comparable, such as the currency; rows are sorted by it first. */
  readonly group?: (row: Row) => string;
  /** Columns of the CSV in place of this one, such as one for each currency of the rows. */
  readonly exported?: (rows: readonly Row[]) => readonly CsvColumn<Row>[];
}

/** Row of totals below a table. */
export interface FootRow {
  readonly name: string;
  /** Totals by the ids of their columns. */
  readonly cells: Readonly<Record<string, ReactNode>>;
}

interface DataTableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined before the first answer. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Order in which the rows stand. */
  readonly sort?: Sort | undefined;
  /** Order without a choice of the reader; undefined: one that no column has. */
  readonly initialSort?: Sort | undefined;
  /** Without it the headers do not sort. */
  readonly onSort?: (sort: Sort | undefined) => void;
  /** Tells which of the columns with an order sort; all do by default. */
  readonly isSortable?: (column: Column<Row>) => boolean;
  readonly empty: ReactNode;
  readonly foot?: readonly FootRow[] | undefined;
  /** Another page is under way: these rows are about to be replaced. */
  readonly isStale?: boolean;
}

/** A table with no more rows needs no choice of their order. */
export const MAX_ROWS_WITHOUT_SORT = 3;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, sort, initialSort, onSort, empty, isStale = false } = props;
  const { isSortable = () => true, foot = [] } = props;
  const isNarrow = useIsNarrow();
  const saving = stepsOf(columns);
  const { frame, steps } = useTableFit(isNarrow ? saving.indexOf('break words') : 0, saving.length);
  if (rows?.length === 0) return empty;
  const taken = saving.slice(0, steps);
  const below = columns.filter((column) => taken.includes(column));
  const inRow = columns.filter((column) => !below.includes(column));
  const sortable = onSort ? columns.filter((column) => hasOrder(column) && isSortable(column)) : [];
  const table = (
    <div ref={frame} className={styles.frame} role="region" aria-label={label} tabIndex={0}>
      <table
        className={classNames(styles.table, taken.includes('break words') && styles.breaking)}
        aria-busy={rows === undefined || isStale}
      >
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {inRow.map((column) => (
              <HeaderCell
                key={column.id}
                column={column}
                sort={sort}
                initialSort={initialSort}
                onSort={sortable.includes(column) ? onSort : undefined}
              />
            ))}
          </tr>
        </thead>
        <tbody className={isStale ? styles.stale : undefined}>
          {rows?.map((row) => (
            <Fragment key={rowKey(row)}>
              <tr>
                {inRow.map((column) => (
                  <BodyCell key={column.id} column={column} row={row} />
                ))}
              </tr>
              {below.length > 0 && (
                <tr className={styles.below}>
                  <td colSpan={inRow.length}>
                    <Below columns={below} row={row} />
                  </td>
                </tr>
              )}
            </Fragment>
          )) ?? <SkeletonRows columns={inRow.length} />}
        </tbody>
        {foot.length > 0 && (
          <tfoot>
            {foot.map((row) => (
              <Foot key={row.name} row={row} inRow={inRow} below={below} />
            ))}
          </tfoot>
        )}
      </table>
    </div>
  );
  const isShort = (rows?.length ?? 0) <= MAX_ROWS_WITHOUT_SORT;
  if (!onSort || isShort || !sortable.some((column) => below.includes(column))) return table;
  return (
    <>
      <div className={styles.order}>
        <SortChoice label={label} columns={sortable} sort={sort} onSort={onSort} />
      </div>
      {table}
    </>
  );
}

/**
 * Returns what a table does for room, in this order: its minor columns stand below their row, words break anywhere, and
 * then the other columns stand below. The column that names the row always stays.
 */
function stepsOf<Row>(columns: readonly Column<Row>[]): readonly (Column<Row> | 'break words')[] {
  const isMinorOf = ({ isMinor = false }: Column<Row>): boolean => isMinor;
  const naming = columns.find(({ isRowHeader = false }) => isRowHeader) ?? columns[0];
  const others = columns.filter((column) => column !== naming && !isMinorOf(column));
  return [...columns.filter(isMinorOf).toReversed(), 'break words', ...others.toReversed()];
}

interface FootProps<Row> {
  readonly row: FootRow;
  readonly inRow: readonly Column<Row>[];
  readonly below: readonly Column<Row>[];
}

/** Totals, below the columns that they are of. */
function Foot<Row>({ row: { name, cells }, inRow, below }: FootProps<Row>) {
  const first = inRow.findIndex(({ id }) => id in cells);
  const named = first < 0 ? inRow.length : first;
  const without = below.filter(({ id }) => id in cells);
  return (
    <>
      <tr>
        <th scope="row" colSpan={named}>
          {name}
        </th>
        {inRow.slice(named).map(({ id }) => (
          <td key={id}>{cells[id]}</td>
        ))}
      </tr>
      {without.length > 0 && (
        <tr className={styles.below}>
          <td colSpan={inRow.length}>
            {without.map(({ id, header }) => (
              <span key={id} className={styles.belowItem}>
                <span className={styles.belowName}>{header}</span> {cells[id]}
              </span>
            ))}
          </td>
        </tr>
      )}
    </>
  );
}

function BodyCell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const content = <ZoneOfColumn value={column.zone}>{column.cell(row)}</ZoneOfColumn>;
  return column.isRowHeader === true ? (
    <th scope="row" className={cellClass(column)}>
      {content}
    </th>
  ) : (
    <td className={cellClass(column)}>{content}</td>
  );
}

/** Tells whether rows can be sorted by a column at all. */
export const hasOrder = <Row,>({ value, isUnsorted = false }: Column<Row>): boolean =>
  value !== undefined && !isUnsorted;

const cellClass = <Row,>({ align, isWide = false }: Column<Row>): string =>
  classNames(align === 'end' && styles.end, isWide && styles.wide);

interface BelowProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
}

/** Columns of a row that has no room for them, those without a value left out. */
function Below<Row>({ columns, row }: BelowProps<Row>) {
  const present = columns.filter(
    ({ value }) => value === undefined || ![null, undefined, ''].includes(value(row) as null),
  );
  return present.map(({ id, header, zone, cell }) => (
    <span key={id} className={styles.belowItem}>
      <span className={styles.belowName}>
        {zone === undefined ? header : `${header} (${zone.replaceAll('_', ' ')})`}
      </span>{' '}
      <ZoneOfColumn value={zone}>{cell(row)}</ZoneOfColumn>
    </span>
  ));
}

interface HeaderCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly initialSort: Sort | undefined;
  readonly onSort: ((sort: Sort | undefined) => void) | undefined;
}

function HeaderCell<Row>({ column, sort, initialSort, onSort }: HeaderCellProps<Row>) {
  const { id, zone } = column;
  const header = zone === undefined ? column.header : <Zoned header={column.header} zone={zone} />;
  const direction = sort?.column === id ? sort.direction : undefined;
  const Arrow = direction === undefined ? ArrowUpDown : direction === 'descending' ? ArrowDown : ArrowUp;
  return (
    <th scope="col" className={cellClass(column)} aria-sort={direction ?? (onSort ? 'none' : undefined)}>
      {onSort ? (
        <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, id, initialSort))}>
          {header}
          <Arrow size={12} className={direction ? undefined : styles.unsorted} aria-hidden />
        </button>
      ) : (
        header
      )}
    </th>
  );
}

const Zoned = ({ header, zone }: { readonly header: string; readonly zone: string }) => (
  <span>
    {header} <span className={styles.zone}>{zone.replaceAll('_', ' ')}</span>
  </span>
);

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
