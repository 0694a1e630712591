export interface Page<Item> {
  readonly items: readonly Item[];
  /** Path of the next page, for `recount.pages`; undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * A list that is read page by page, on demand. Iterate over its items with `for await`, over whole pages with
 * `byPage()`, or read everything with `all()`. Each iteration reads the list again.
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

  /** Reads every item into memory. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}

/** Returns the path of the page after a page, from the header `Link: <…>; rel="next"`. */
export function nextPageOf(headers: Headers, page: string): string | undefined {
  const url = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  if (url === undefined) return undefined;
  // Takes the query alone: behind a proxy the service may have another host and path than the caller uses.
  return page.split('?', 1)[0]! + new URL(url, 'http://recount.invalid').search;
}
