export interface Page<Item> {
  readonly items: readonly Item[];
  /** The path of the next page, for `recount.pages`; undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * A list that is read page by page, as far as it is asked for. Iterate over its items with `for await`, over whole pages
 * with `byPage()`, or take everything with `all()`. Each iteration reads the list again.
 */
export class Pages<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly first: string,
    private readonly read: (path: string) => Promise<Page<Item>>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.byPage()) yield* items;
  }

  async *byPage(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let path: string | undefined = this.first; path !== undefined;) {
      const page: Page<Item> = await this.read(path);
      yield page;
      path = page.next;
    }
  }

  /** Every item, in memory. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}

/** Returns the path of the next page, from the header `Link: <…>; rel="next"`. */
export function nextPageOf(headers: Headers): string | undefined {
  const url = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  if (url === undefined) return undefined;
  // Through a proxy the service may know itself by another address than the caller does.
  const { pathname, search } = new URL(url, 'http://recount.invalid');
  return pathname + search;
}
