import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatQuantity } from './amount.js';
import { Button } from './button.js';
import { counted } from './counted.js';
import { DataTable, MAX_ROWS_WITHOUT_SORT, type Column, type FootRow } from './data-table.js';
import { EmptyState } from './empty-state.js';
import { TextInput } from './field.js';
import { findRows } from './find-rows.js';
import { saveRows } from './save-rows.js';
import { formatSort, parseSort, sortRows } from './sort.js';
import { useTableState } from './use-table-state.js';
import styles from './whole-table.module.css';

interface WholeTableProps<Row> {
  /** Name of the CSV file, without its ending, and of the table in the address. */
  readonly file: string;
  /** Name of the table for readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined before the answer. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly empty: ReactNode;
  /** Row of totals, with a cell for each column. */
  readonly foot?: readonly FootRow[];
  /** A few rows among other figures are neither sorted nor exported. */
  readonly isPlainIfShort?: boolean;
}

/** Rows of a page; a table with fewer has no pages. */
const PAGE_ROWS = 20;
/** A table with no more rows is seen at a glance: it has no field to find rows. */
const GLANCE = 10;

/** Table that has all of its rows: sorted, searched, paged and exported where it stands. The address has its state. */
export function WholeTable<Row>(props: WholeTableProps<Row>) {
  const { file, label, columns, rows, rowKey, empty, foot, isPlainIfShort = false } = props;
  const [{ sort: by, page: asked, find = '' }, setState] = useTableState(file);
  const [words, setWords] = useState(find);
  const sort = parseSort(by);
  const found = rows && sortRows(findRows(rows, columns, words), columns, sort);
  const count = found?.length ?? 0;
  const last = Math.max(1, Math.ceil(count / PAGE_ROWS));
  const page = Math.min(last, Math.max(1, Math.trunc(Number(asked)) || 1));
  const from = (page - 1) * PAGE_ROWS;
  const isSearched = (rows?.length ?? 0) > GLANCE || (words !== '' && rows?.length !== 0);
  const isPlain = isPlainIfShort && rows !== undefined && rows.length <= MAX_ROWS_WITHOUT_SORT;
  const search = (text: string): void => {
    setWords(text);
    setState({ find: text, page: undefined });
  };
  return (
    <>
      {isSearched && (
        <div className={styles.search} role="search" aria-label={label}>
          <TextInput
            type="search"
            placeholder="Find"
            aria-label={`Find in ${label}`}
            autoComplete="off"
            spellCheck={false}
            value={words}
            onChange={({ target }) => search(target.value)}
            // Enter would send the form that the table is a preview of.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </div>
      )}
      <DataTable
        label={label}
        columns={columns}
        rows={found?.slice(from, from + PAGE_ROWS)}
        rowKey={rowKey}
        sort={sort}
        {...(isPlain ? {} : { onSort: (next) => setState({ sort: formatSort(next), page: undefined }) })}
        foot={foot}
        empty={
          words.trim() === '' ? (
            empty
          ) : (
            <EmptyState title={`No matches for “${words.trim()}”`}>
              <Button look="quiet" onClick={() => search('')}>
                <X size={14} aria-hidden /> Show all {formatQuantity(rows?.length ?? 0)}
              </Button>
            </EmptyState>
          )
        }
      />
      {rows !== undefined && rows.length > 0 && !isPlain && (
        <div className={styles.foot}>
          {isSearched && (
            <span className={styles.count} role="status">
              {countText(from, Math.min(from + PAGE_ROWS, count), count, rows.length)}
            </span>
          )}
          {last > 1 && (
            <nav className={styles.pages} aria-label={`Pages of ${label}`}>
              <Button look="quiet" disabled={page === 1} onClick={() => setState({ page: `${page - 1}` })}>
                <ChevronLeft size={14} aria-hidden /> Back
              </Button>
              <Button look="quiet" disabled={page === last} onClick={() => setState({ page: `${page + 1}` })}>
                Next <ChevronRight size={14} aria-hidden />
              </Button>
            </nav>
          )}
          {found !== undefined && count > 0 && (
            <Button look="quiet" onClick={() => saveRows(file, columns, found)}>
              <Download size={14} aria-hidden /> CSV
              <span className="visually-hidden"> of {label}</span>
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** Says which rows are shown: `21–40 of 134`, or `3 of 134` where words leave that many. */
function countText(from: number, until: number, count: number, all: number): string {
  const of = count === all ? formatQuantity(all) : `${formatQuantity(count)} found in ${formatQuantity(all)}`;
  if (count > PAGE_ROWS) return `${formatQuantity(from + 1)}–${formatQuantity(until)} of ${of}`;
  return count === all ? counted(all, 'entry', 'entries') : of;
}
