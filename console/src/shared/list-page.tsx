import type { ReactNode } from 'react';
import type { Pages } from '../../../clients/typescript/src/index.js';
import { DataTable, type Column } from './data-table.js';
import { EmptyState } from './empty-state.js';
import { ExportButton } from './export-button.js';
import { FilterForm, refusalOf, type FilterField } from './filter-form.js';
import type { ReadModelName } from './freshness.js';
import { Page } from './page.js';
import { Pager } from './pager.js';
import { Problem } from './problem.js';
import { formatSort, parseSort, sortRows, type Sort } from './sort.js';
import { useList, type PageOfList } from './use-list.js';
import styles from './list-page.module.css';

/** Address of a list: sort, cursor and filters. */
type Search = Readonly<Record<string, string | undefined>>;

interface ListPageProps<Item> {
  readonly title: string;
  /** Name of the list in the query cache, and of its CSV file. */
  readonly name: string;
  readonly columns: readonly Column<Item>[];
  readonly rowKey: (item: Item) => string;
  readonly filters: readonly FilterField[];
  /** Filters in the API's form, which `read` passes on. */
  readonly filter: object;
  readonly read: (page: PageOfList, options?: { signal: AbortSignal }) => Pages<Item>;
  readonly search: Search;
  /** Puts a change into the address. */
  readonly onSearch: (change: Search) => void;
  /** Says what to do when the list is empty. */
  readonly empty: ReactNode;
  readonly actions?: ReactNode;
  /** Read models that the rows come from. */
  readonly readModels?: readonly ReadModelName[];
}

/** Page with one list of the API: filtered, sorted whole or not at all, paged by cursor and exported whole. */
export function ListPage<Item>(props: ListPageProps<Item>) {
  const {
    title,
    name,
    columns,
    rowKey,
    filters,
    filter,
    read,
    search,
    onSearch,
    empty,
    actions,
    readModels,
  } = props;
  const asked = parseSort(search['sort']);
  const ordering = orderingOf(columns, asked);
  const inOrder = (part: PageOfList, options?: { signal: AbortSignal }) =>
    read({ ...part, ...(ordering === undefined ? {} : { ordering }) }, options);
  const list = useList(name, { ...filter, ordering }, inOrder, search['cursor']);
  const isWhole = list.data !== undefined && search['cursor'] === undefined && list.data.next === undefined;
  const isSortable = (column: Column<Item>): boolean => isWhole || column.ordering !== undefined;
  const isSorted = columns.some((column) => column.id === asked?.column && isSortable(column));
  const rows =
    isWhole && ordering === undefined ? sortRows(list.data.items, columns, asked) : list.data?.items;
  const isFiltered = filters.some((field) => search[field.name] !== undefined);
  const isRefusedAtField = filters.some((field) => refusalOf(field.name, list.error) !== undefined);
  return (
    <Page
      title={title}
      {...(readModels === undefined ? {} : { readModels })}
      actions={
        <>
          {actions}
          <ExportButton name={name} columns={columns} read={(part, signal) => inOrder(part, { signal })} />
        </>
      }
    >
      <FilterForm
        fields={filters}
        values={search}
        onFilter={(values) => onSearch({ ...values, cursor: undefined })}
        error={list.error}
      />
      {list.error && !isRefusedAtField && (
        <Problem error={list.error} retry={() => void list.refetch()} isRetrying={list.isFetching} />
      )}
      {(list.data || !list.error) && (
        <DataTable
          label={title}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          sort={isSorted ? asked : undefined}
          isSortable={isSortable}
          onSort={(by) => onSearch({ sort: formatSort(by), cursor: undefined })}
          isStale={list.isPlaceholderData}
          empty={isFiltered ? <EmptyState title="Nothing matches these filters" /> : empty}
        />
      )}
      {list.data && !isWhole && <p className={styles.note}>{sortNote(columns)}</p>}
      {list.data && (
        <Pager
          cursor={search['cursor']}
          next={list.data.next}
          count={rows?.length ?? 0}
          onMove={(to) => onSearch({ cursor: to })}
        />
      )}
    </Page>
  );
}

/** Returns the order that the service is asked for; undefined where it does not know the column. */
function orderingOf<Item>(columns: readonly Column<Item>[], sort: Sort | undefined): string | undefined {
  const name = columns.find(({ id }) => id === sort?.column)?.ordering;
  return name !== undefined && sort?.direction === 'descending' ? `-${name}` : name;
}

/** Says what a list of several pages sorts by: the service orders some columns, and the browser has one page. */
function sortNote<Item>(columns: readonly Column<Item>[]): string {
  const headers = columns.filter(({ ordering }) => ordering !== undefined).map(({ header }) => header);
  return headers.length === 0
    ? 'A list of several pages keeps its order. One that fits on a page sorts by every column: filter it.'
    : `A list of several pages sorts by ${new Intl.ListFormat('en').format(headers)}. One that fits on a page sorts by every column: filter it.`;
}
