import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Pages } from '../../../clients/typescript/src/index.js';

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** Number of rows of a page. */
export const PAGE_SIZE = 50;

/** Number of entries that the browser sorts, the largest page of the API. */
export const MOST_SORTED = 1_000;

/** Part of a list to read. */
export interface PageOfList {
  readonly limit: number;
  readonly cursor?: string;
}

type Read<Item> = (page: PageOfList, options: { signal: AbortSignal }) => Pages<Item>;

interface ListOptions {
  readonly limit?: number;
  /** Milliseconds after which the page is read again. */
  readonly refetchInterval?: number | undefined;
}

/** Reads one page of a list of the API. The page before stays until the next one has loaded. */
export function useList<Item>(
  name: string,
  query: object,
  read: Read<Item>,
  cursor: string | undefined,
  { limit = PAGE_SIZE, refetchInterval }: ListOptions = {},
) {
  return useQuery({
    queryKey: [name, 'list', query, cursor, limit],
    queryFn: ({ signal }) =>
      readPage(read({ limit, ...(cursor === undefined ? {} : { cursor }) }, { signal })),
    placeholderData: keepPreviousData,
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  });
}

/** Reads a list for the browser to sort; an answer with a `next` is too long for that. */
export const useWholeList = <Item>(name: string, query: object, read: Read<Item>, isWanted: boolean) =>
  useQuery({
    queryKey: [name, 'whole', query],
    queryFn: ({ signal }) => readPage(read({ limit: MOST_SORTED }, { signal })),
    enabled: isWanted,
  });

/** Reads the first page of a list, and the cursor of the second. */
export async function readPage<Item>(pages: Pages<Item>): Promise<ListPage<Item>> {
  for await (const { items, next } of pages.byPage()) return { items, next: cursorOf(next) };
  return { items: [], next: undefined };
}

const cursorOf = (path: string | undefined): string | undefined =>
  path === undefined
    ? undefined
    : (new URL(path, window.location.origin).searchParams.get('cursor') ?? undefined);
