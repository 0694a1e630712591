import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storedBooks, storedEdges } from '../books/books.js';
import { startOnBooks } from '../books/opened-books.js';
import type { TestApp } from '../support/app.js';
import { rulesMetBy, withOtherRule } from '../support/former-rule.js';
import { recount } from '../support/recount.js';

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
    const isNoticedBy = async (books: TestApp) =>
      !(await withOtherRule(rule, name, () => recount(books, 'verify', '--all'))).isWell;
    // Random histories do not meet every rule; the edges are written for the others.
    const noticed = [];
    for (const books of [...edges, app]) noticed.push(await isNoticedBy(books));
    expect(noticed).toContain(true);
  });
});
