import { useMemo, type ReactNode } from 'react';
import type { Pages } from '../../../clients/typescript/src/index.js';
import { formatQuantity } from './amount.js';
import { DataTable, type Column } from './data-table.js';
import { EmptyState } from './empty-state.js';
import { ExportButton } from './export-button.js';
import { FilterForm, refusalOf, type FilterField } from './filter-form.js';
import type { ReadModelName } from './freshness.js';
import { Page } from './page.js';
import { Pager } from './pager.js';
import { Problem } from './problem.js';
import { formatSort, parseSort, sortRows, type Sort } from './sort.js';
import { MOST_SORTED, PAGE_SIZE, useList, useWholeList, type PageOfList } from './use-list.js';

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

const SORT_HINT = `Sorts the whole list; by this column up to ${formatQuantity(MOST_SORTED)} entries`;

/** Page with one list of the API: filtered, sorted, paged by cursor and exported whole. */
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
  const isSortedHere = asked !== undefined && ordering === undefined;
  const whole = useWholeList(name, filter, read, isSortedHere);
  const isTooLong = isSortedHere && whole.data?.next !== undefined;
  const isWhole = isSortedHere && !isTooLong;
  const inOrder = (part: PageOfList, options?: { signal: AbortSignal }) =>
    read({ ...part, ...(ordering === undefined ? {} : { ordering }) }, options);
  const page = useList(name, { ...filter, ordering }, inOrder, search['cursor'], !isWhole);
  const list = isWhole ? whole : page;
  const sorted = useSortedPage(whole.data?.items, columns, search['sort'], search['cursor']);
  const rows = isWhole ? sorted.rows : page.data?.items;
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
      {isTooLong && (
        <p role="status">
          This list has more than {formatQuantity(MOST_SORTED)} entries and cannot be sorted by this column.
          Filter it, then sort.
        </p>
      )}
      {(list.data || !list.error) && (
        <DataTable
          label={title}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          sort={isTooLong ? undefined : asked}
          sortHint={SORT_HINT}
          onSort={(by) => onSearch({ sort: formatSort(by), cursor: undefined })}
          isStale={list.isPlaceholderData}
          empty={isFiltered ? <EmptyState title="Nothing matches these filters" /> : empty}
        />
      )}
      {list.data && (
        <Pager
          cursor={search['cursor']}
          next={isWhole ? sorted.next : list.data.next}
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

/** Page of a list that was read whole and sorted. Its cursor is `after-` and the number of rows before it. */
function useSortedPage<Item>(
  items: readonly Item[] | undefined,
  columns: readonly Column<Item>[],
  sort: string | undefined,
  cursor: string | undefined,
): { readonly rows: readonly Item[] | undefined; readonly next: string | undefined } {
  const sorted = useMemo(() => items && sortRows(items, columns, parseSort(sort)), [items, columns, sort]);
  const from = Number(/^after-(\d{1,4})$/.exec(cursor ?? '')?.[1] ?? 0);
  const until = from + PAGE_SIZE;
  return {
    rows: sorted?.slice(from, until),
    next: sorted && sorted.length > until ? `after-${until}` : undefined,
  };
}
