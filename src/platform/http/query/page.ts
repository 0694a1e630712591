import type { Request, Response } from 'express';
import { baseUrlOf } from '../server/base-url.js';

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

/** A page is answered as the plain array, with the next one in the `Link` header (docs/contract.md#pages). */
export function withPageLink(answer: unknown, request: Request, response: Response): unknown {
  if (!(answer instanceof Page)) return answer;
  if (answer.nextCursor !== undefined) {
    response.setHeader('Link', `<${urlOfNext(request, answer.nextCursor)}>; rel="next"`);
  }
  return answer.answer;
}

/** The same request at the next cursor, addressed as the caller addressed this one. */
function urlOfNext(request: Request, cursor: string): string {
  const [path, query = ''] = request.originalUrl.split('?', 2) as [string, string?];
  const others = query.split('&').filter((pair) => pair !== '' && !/^cursor=/.test(pair));
  return `${baseUrlOf(request)}${path}?${[...others, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
}
