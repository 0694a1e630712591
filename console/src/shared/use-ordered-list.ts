import type { UseQueryResult } from '@tanstack/react-query';
import type { Pages } from '../../../clients/typescript/src/index.js';
import { formatQuantity } from './amount.js';
import { hasOrder, type Column } from './data-table.js';
import { parseSort, sortRows, type Sort } from './sort.js';
import {
  MOST_SORTED,
  PAGE_SIZE,
  useList,
  useWholeList,
  type ListPage as PageOfItems,
  type PageOfList,
} from './use-list.js';

export interface OrderedPage extends PageOfList {
  /** Order of the service, such as `-amount`. */
  readonly ordering?: string;
}

/** State of a list, which the address has. */
export type ListState = {
  readonly sort?: string | undefined;
  readonly cursor?: string | undefined;
};

export interface ListSource<Item> {
  /** Name of the list in the query cache, and of its CSV file. */
  readonly name: string;
  readonly columns: readonly Column<Item>[];
  /** Filters in the API's form, which `read` passes on. */
  readonly filter: object;
  readonly read: (page: OrderedPage, options?: { signal: AbortSignal }) => Pages<Item>;
  readonly search: ListState;
  /** Order without a sort in the address; undefined: that of the service. */
  readonly initialSort?: string | undefined;
  readonly pageSize?: number;
  /** A reader can make the list shorter. */
  readonly isFilterable?: boolean;
  /** Milliseconds after which the page is read again. */
  readonly refetchInterval?: number;
}

/** List of the API in an order: one page of it, and how to read all of it. */
export interface OrderedList<Item> {
  readonly query: UseQueryResult<PageOfItems<Item>>;
  /** Reading of the whole list, which the browser sorts. */
  readonly whole: UseQueryResult<PageOfItems<Item>>;
  readonly page: PageOfItems<Item> | undefined;
  /** Order in which the rows stand; undefined: that of the service. */
  readonly sort: Sort | undefined;
  readonly initialSort: Sort | undefined;
  readonly isSortable: (column: Column<Item>) => boolean;
  /** Another page is under way: it replaces the rows. */
  readonly isStale: boolean;
  /** Why the list is not in the order that was asked for. */
  readonly note: string | undefined;
  readonly readAll: (page: PageOfList, signal: AbortSignal) => Pages<Item>;
}

/** Reads a page of a list, sorted by the service, or here where the service does not know the order or a better one. */
export function useOrderedList<Item>(source: ListSource<Item>): OrderedList<Item> {
  const { name, columns, filter, read, search, initialSort, pageSize = PAGE_SIZE } = source;
  const asked = parseSort(search.sort ?? initialSort);
  const column = columns.find(({ id }) => id === asked?.column);
  const initial = parseSort(initialSort);
  const own = orderingOf(columns, asked);
  // A list that is too long for the browser stays in its initial order.
  const ordering = own ?? orderingOf(columns, initial);
  const inOrder = (part: PageOfList, options?: { signal: AbortSignal }) =>
    read({ ...part, ...(ordering === undefined ? {} : { ordering }) }, options);
  const isSortedHere =
    column !== undefined && hasOrder(column) && (own === undefined || isBetterSortedHere(column));
  const from = firstRowOf(search.cursor);
  const cursor = from === undefined ? search.cursor : undefined;
  const query = useList(name, { ...filter, ordering }, inOrder, cursor, {
    limit: pageSize,
    refetchInterval: source.refetchInterval,
  });
  const fitsOnPage = query.data !== undefined && cursor === undefined && query.data.next === undefined;
  const whole = useWholeList(name, filter, read, isSortedHere && query.data !== undefined && !fitsOnPage);
  const isTooLong = whole.data?.next !== undefined;
  const items = fitsOnPage ? query.data.items : isTooLong ? undefined : whole.data?.items;
  const sorted =
    isSortedHere && items ? pageOfSorted(sortRows(items, columns, asked), pageSize, from) : undefined;
  return {
    query,
    whole,
    page: sorted ?? query.data,
    sort: own !== undefined || sorted !== undefined ? asked : initial,
    initialSort: initial,
    isSortable: ({ ordering: ofService }) => ofService !== undefined || !isTooLong,
    isStale: query.isPlaceholderData || whole.isLoading,
    note: isSortedHere && isTooLong ? lengthNote(source, column, own !== undefined) : undefined,
    readAll: (part, signal) => inOrder(part, { signal }),
  };
}

/** Returns the order that the service is asked for; undefined where it does not know the column. */
function orderingOf<Item>(columns: readonly Column<Item>[], sort: Sort | undefined): string | undefined {
  const name = columns.find(({ id }) => id === sort?.column)?.ordering;
  return name !== undefined && sort?.direction === 'descending' ? `-${name}` : name;
}

/** Returns the first row of a page that the browser has sorted; its cursor is `after-` and the rows before it. */
function firstRowOf(cursor: string | undefined): number | undefined {
  const rows = /^after-(\d{1,4})$/.exec(cursor ?? '')?.[1];
  return rows === undefined ? undefined : Number(rows);
}

function pageOfSorted<Item>(rows: readonly Item[], size: number, from = 0): PageOfItems<Item> {
  const until = from + size;
  return { items: rows.slice(from, until), next: rows.length > until ? `after-${until}` : undefined };
}

/** Tells whether the browser has a better order of a column than the service. */
const isBetterSortedHere = <Item>({ hasNumberedNames = false, orderingNote }: Column<Item>): boolean =>
  hasNumberedNames || orderingNote !== undefined;

/** Says by what a list sorts that is too long for the browser, or how the service orders it. */
function lengthNote<Item>(source: ListSource<Item>, column: Column<Item>, isOrdered: boolean): string {
  const { header, orderingNote } = column;
  const { columns, isFilterable = false } = source;
  const byLetter = `names are compared letter by letter: ${header} 10 comes before ${header} 2`;
  if (isOrdered)
    return `This list has more than ${formatQuantity(MOST_SORTED)} entries, so ${orderingNote ?? byLetter}.`;
  const headers = columns.filter(({ ordering }) => ordering !== undefined).map((one) => one.header);
  const sorts = headers.length === 0 ? '' : ` It sorts by ${new Intl.ListFormat('en').format(headers)}.`;
  return `This list is too long to be sorted by ${header}.${sorts} A list of up to ${formatQuantity(MOST_SORTED)} entries sorts by every column: ${isFilterable ? 'filter it' : 'export this one to sort it'}.`;
}
