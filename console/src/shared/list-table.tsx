import type { ReactNode } from 'react';
import { DataTable, type Column } from './data-table.js';
import { ExportButton } from './export-button.js';
import { Pager } from './pager.js';
import { Problem } from './problem.js';
import { formatSort } from './sort.js';
import type { ListState, OrderedList } from './use-ordered-list.js';
import styles from './list-page.module.css';

interface ListTableProps<Item> {
  readonly label: string;
  readonly list: OrderedList<Item>;
  readonly columns: readonly Column<Item>[];
  readonly rowKey: (item: Item) => string;
  /** Cursor of the address. */
  readonly cursor: string | undefined;
  /** Puts a change into the address. */
  readonly onSearch: (change: ListState) => void;
  readonly empty: ReactNode;
  /** Name of the CSV file of the whole list; undefined: its button is elsewhere. */
  readonly file?: string;
  /** The refusal of the list is shown elsewhere. */
  readonly isRefusedElsewhere?: boolean;
}

/** Table of one page of a list, with what went wrong and the way to the other pages. */
export function ListTable<Item>(props: ListTableProps<Item>) {
  const { label, list, columns, rowKey, cursor, onSearch, empty, file } = props;
  const { isRefusedElsewhere = false } = props;
  const { query, whole, page, sort, initialSort, isSortable, isStale, note } = list;
  return (
    <>
      {query.error && !isRefusedElsewhere && (
        <Problem error={query.error} retry={() => void query.refetch()} isRetrying={query.isFetching} />
      )}
      {(query.data || !query.error) && (
        <DataTable
          label={label}
          columns={columns}
          rows={page?.items}
          rowKey={rowKey}
          sort={sort}
          initialSort={initialSort}
          isSortable={isSortable}
          onSort={(by) => {
            const text = formatSort(by);
            onSearch({ sort: text === formatSort(initialSort) ? undefined : text, cursor: undefined });
          }}
          isStale={isStale}
          empty={empty}
        />
      )}
      {whole.error && <Problem error={whole.error} retry={() => void whole.refetch()} />}
      {note !== undefined && (
        <p className={styles.note} role="status">
          {note}
        </p>
      )}
      {page && (page.items.length > 0 || cursor !== undefined) && (
        <div className={styles.foot}>
          <Pager
            label={label}
            cursor={cursor}
            next={page.next}
            count={page.items.length}
            isStale={isStale}
            onMove={(to) => onSearch({ cursor: to })}
          />
          {file !== undefined && page.items.length > 0 && (
            <ExportButton name={file} of={label} look="quiet" columns={columns} read={list.readAll} />
          )}
        </div>
      )}
    </>
  );
}
