import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storedBooks, storedEdges } from '../books/books.js';
import { startOnBooks } from '../books/opened-books.js';
import type { TestApp } from '../support/app.js';
import { rulesMetBy, withOtherRule } from '../support/former-rule.js';
import { recount } from '../support/recount.js';

/** Number of invoices that are verified before the next ones: most rules are noticed among the first. */
const AT_ONCE = 25;

describe.each(storedBooks())('the books that policy %s wrote', (name) => {
  let app: TestApp;
  /** Small books that meet the rules that the others do not. */
  let edges: readonly TestApp[];

  beforeAll(async () => {
    app = await startOnBooks(name);
    edges = await Promise.all(storedEdges(name).map((one) => startOnBooks(one)));
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all(edges.map((books) => books.stop()));
  });

  it('verify, every invoice', async () => {
    const { lines, isWell } = await recount(app, 'verify', '--all');
    expect(lines).toEqual([
      expect.stringMatching(/^\d{3,} invoices computed again in \S+ s: all as issued$/),
      expect.stringMatching(/^numbers of \d+ days: without gap or repeat, as they were assigned$/),
    ]);
    expect(isWell).toBe(true);
  });

  it.each(rulesMetBy(name))('notice that the rule $name is that of another policy', async (rule) => {
    // Random histories do not meet every rule; the edges are written for the others.
    const isNoticed = await withOtherRule(rule, name, () => isNoticedBy([...edges, app]));
    expect(isNoticed).toBe(true);
  });
});

/** Verifies invoices, a few at a time, until one is not as issued. */
async function isNoticedBy(allBooks: readonly TestApp[]): Promise<boolean> {
  for (const books of allBooks) {
    const { rows } = await books.pool.query<{ numbers: string[] }>(
      `select array_agg(invoice_number) as numbers from (
         select invoice_number, row_number() over (order by invoice_number) / $1 as part from invoices
         where invoice_number is not null
       ) numbered group by part order by part`,
      [AT_ONCE],
    );
    for (const { numbers } of rows) if (!(await recount(books, 'verify', ...numbers)).isWell) return true;
  }
  return false;
}
