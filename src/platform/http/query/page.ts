/**
 * Part of a list. A controller returns it; the answer is the plain array, or what the list stands in; the next page is in
 * the `Link` header.
 */
export class Page<Item> {
  constructor(
    readonly items: readonly Item[],
    /** Opaque text by which the next page begins; undefined on the last one. */
    readonly nextCursor: string | undefined,
    readonly answer: unknown = items,
  ) {}
}
