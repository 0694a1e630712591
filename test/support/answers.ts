import type TestAgent from 'supertest/lib/agent.js';

interface ProblemBody {
  readonly validation_errors?: readonly { readonly attr: string; readonly code: string }[];
}

/** What a refusal says of each field: attr → code. */
export const fieldErrorsOf = ({ validation_errors: errors = [] }: ProblemBody): Record<string, string> =>
  Object.fromEntries(errors.map(({ attr, code }) => [attr, code]));

/** The pages of a list, followed by their Link headers. */
export async function pagesOf<Item>(request: TestAgent, path: string): Promise<Item[][]> {
  const pages: Item[][] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const answer: { body: Item[]; headers: Record<string, string> } = await request.get(next).expect(200);
    pages.push(answer.body);
    const link = /^<([^>]+)>; rel="next"$/.exec(answer.headers['link'] ?? '')?.[1];
    next = link && link.slice(new URL(link).origin.length);
  }
  return pages;
}
