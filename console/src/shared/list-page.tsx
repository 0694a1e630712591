import type { ReactNode } from 'react';
import type { Pages } from '../../../clients/typescript/src/index.js';
import { formatQuantity } from './amount.js';
import { DataTable, hasOrder, type Column } from './data-table.js';
import { EmptyState } from './empty-state.js';
import { ExportButton } from './export-button.js';
import { FilterForm, refusalOf, type FilterField } from './filter-form.js';
import type { ReadModelName } from './freshness.js';
import { Page } from './page.js';
import { Pager } from './pager.js';
import { Problem } from './problem.js';
import { formatSort, parseSort, sortRows, type Sort } from './sort.js';
import {
  MOST_SORTED,
  PAGE_SIZE,
  useList,
  useWholeList,
  type ListPage as PageOfItems,
  type PageOfList,
} from './use-list.js';
import styles from './list-page.module.css';

/** Address of a list: sort, cursor and filters. */
type Search = Readonly<Record<string, string | undefined>>;

interface OrderedPage extends PageOfList {
  /** Order of the service, such as `-amount`. */
  readonly ordering?: string;
}

interface ListPageProps<Item> {
  readonly title: string;
  /** Name of the list in the query cache, and of its CSV file. */
  readonly name: string;
  readonly columns: readonly Column<Item>[];
  readonly rowKey: (item: Item) => string;
  readonly filters: readonly FilterField[];
  /** Filters in the API's form, which `read` passes on. */
  readonly filter: object;
  readonly read: (page: OrderedPage, options?: { signal: AbortSignal }) => Pages<Item>;
  readonly search: Search;
  /** Puts a change into the address. */
  readonly onSearch: (change: Search) => void;
  /** Says what to do when the list is empty. */
  readonly empty: ReactNode;
  readonly actions?: ReactNode;
  /** Read models that the rows come from. */
  readonly readModels?: readonly ReadModelName[];
}

/** Page with one list of the API: filtered, sorted by the service or here, paged by cursor and exported whole. */
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
  const column = columns.find(({ id }) => id === asked?.column);
  const ordering = orderingOf(column, asked);
  const inOrder = (part: PageOfList, options?: { signal: AbortSignal }) =>
    read({ ...part, ...(ordering === undefined ? {} : { ordering }) }, options);
  const isSortedHere = column !== undefined && ordering === undefined && hasOrder(column);
  const from = firstRowOf(search['cursor']);
  const cursor = from === undefined ? search['cursor'] : undefined;
  const list = useList(name, { ...filter, ordering }, inOrder, cursor);
  const fitsOnPage = list.data !== undefined && cursor === undefined && list.data.next === undefined;
  const whole = useWholeList(name, filter, read, isSortedHere && list.data !== undefined && !fitsOnPage);
  const isTooLong = whole.data?.next !== undefined;
  const items = fitsOnPage ? list.data.items : isTooLong ? undefined : whole.data?.items;
  const sorted = isSortedHere && items ? pageOfSorted(sortRows(items, columns, asked), from) : undefined;
  const page = sorted ?? list.data;
  const isSortable = ({ ordering: ofService }: Column<Item>): boolean =>
    ofService !== undefined || !isTooLong;
  const isStale = list.isPlaceholderData || whole.isLoading;
  const isSorted = ordering !== undefined || sorted !== undefined;
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
          rows={page?.items}
          rowKey={rowKey}
          sort={isSorted ? asked : undefined}
          isSortable={isSortable}
          onSort={(by) => onSearch({ sort: formatSort(by), cursor: undefined })}
          isStale={isStale}
          empty={isFiltered ? <EmptyState title="Nothing matches these filters" /> : empty}
        />
      )}
      {whole.error && <Problem error={whole.error} retry={() => void whole.refetch()} />}
      {isSortedHere && isTooLong && (
        <p className={styles.note} role="status">
          {lengthNote(columns, column)}
        </p>
      )}
      {page && (
        <Pager
          cursor={search['cursor']}
          next={page.next}
          count={page.items.length}
          isStale={isStale}
          onMove={(to) => onSearch({ cursor: to })}
        />
      )}
    </Page>
  );
}

/** Returns the order that the service is asked for; undefined where it does not know the column. */
function orderingOf<Item>(column: Column<Item> | undefined, sort: Sort | undefined): string | undefined {
  const name = column?.ordering;
  return name !== undefined && sort?.direction === 'descending' ? `-${name}` : name;
}

/** Returns the first row of a page that the browser has sorted; its cursor is `after-` and the rows before it. */
function firstRowOf(cursor: string | undefined): number | undefined {
  const rows = /^after-(\d{1,4})$/.exec(cursor ?? '')?.[1];
  return rows === undefined ? undefined : Number(rows);
}

function pageOfSorted<Item>(rows: readonly Item[], from = 0): PageOfItems<Item> {
  const until = from + PAGE_SIZE;
  return { items: rows.slice(from, until), next: rows.length > until ? `after-${until}` : undefined };
}

/** Says by what a list sorts that is too long for the browser. */
function lengthNote<Item>(columns: readonly Column<Item>[], { header }: Column<Item>): string {
  const headers = columns.filter(({ ordering }) => ordering !== undefined).map((one) => one.header);
  const sorts = headers.length === 0 ? '' : ` It sorts by ${new Intl.ListFormat('en').format(headers)}.`;
  return `This list is too long to be sorted by ${header}.${sorts} A list of up to ${formatQuantity(MOST_SORTED)} entries sorts by every column: filter it.`;
}
