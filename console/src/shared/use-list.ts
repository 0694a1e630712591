import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Pages } from '../../../clients/typescript/src/index.js';

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** Rows of a page on the screen. */
export const PAGE_SIZE = 50;

/** Reads one page of a list of the API. The page before stays until the next one is there. */
export function useList<Item>(
  name: string,
  query: object,
  read: (page: { limit: number; cursor?: string }) => Pages<Item>,
  cursor: string | undefined,
) {
  return useQuery({
    queryKey: [name, 'list', query, cursor],
    queryFn: () => readPage(read({ limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) })),
    placeholderData: keepPreviousData,
  });
}

/** Reads the first page of a list, and the cursor of the one after it. */
export async function readPage<Item>(pages: Pages<Item>): Promise<ListPage<Item>> {
  for await (const { items, next } of pages.byPage()) return { items, next: cursorOf(next) };
  return { items: [], next: undefined };
}

const cursorOf = (path: string | undefined): string | undefined =>
  path === undefined
    ? undefined
    : (new URL(path, window.location.origin).searchParams.get('cursor') ?? undefined);
