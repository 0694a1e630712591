import type TestAgent from 'supertest/lib/agent.js';

interface ProblemBody {
  readonly validation_errors?: readonly { readonly attr: string; readonly code: string }[];
}

/** Maps the fields of a refusal to error codes: attr → code. */
export const fieldErrorsOf = ({ validation_errors: errors = [] }: ProblemBody): Record<string, string> =>
  Object.fromEntries(errors.map(({ attr, code }) => [attr, code]));

/** Reads all pages of a list by following the Link headers. */
export async function pagesOf<Item>(request: TestAgent, path: string): Promise<Item[][]> {
  const pages: Item[][] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const answer: { body: Item[]; headers: Record<string, string> } = await request.get(next).expect(200);
    pages.push(answer.body);
    next = nextPath(answer.headers);
  }
  return pages;
}

/** Returns path and query of the next page from a Link header. */
export function nextPath(headers: Readonly<Record<string, string>>): string | undefined {
  const link = /^<([^>]+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
  return link && link.slice(new URL(link).origin.length);
}
