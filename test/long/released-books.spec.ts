import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FIRST_POLICY, POLICY } from '../../src/pricing/policy.js';
import { storedBooks } from '../books/books.js';
import { startOnBooks } from '../books/opened-books.js';
import type { TestApp } from '../support/app.js';
import { FORMER_RULES, withRuleOf } from '../support/former-rule.js';
import { recount } from '../support/recount.js';

describe.each(storedBooks())('the books that policy %s wrote', (name) => {
  let app: TestApp;
  /** Small books that meet the rules that the others do not. */
  let edges: TestApp;

  beforeAll(async () => {
    app = await startOnBooks(name);
    edges = await startOnBooks(`edges/${name}`);
  });
  afterAll(async () => {
    await app.stop();
    await edges.stop();
  });

  it('verify, every invoice', async () => {
    const { lines, isWell } = await recount(app, 'verify', '--all');
    expect(lines).toEqual([
      expect.stringMatching(/^\d{3,} invoices computed again in \S+ s: all as issued$/),
      expect.stringMatching(/^numbers of \d+ days: without gap or repeat, as they were assigned$/),
    ]);
    expect(isWell).toBe(true);
  });

  it.each(FORMER_RULES)('notice that the rule $name is that of another policy', async (rule) => {
    const from = name === POLICY ? FIRST_POLICY : POLICY;
    const isNoticedBy = async (books: TestApp) =>
      !(await withRuleOf(rule, { policy: name, from }, () => recount(books, 'verify', '--all'))).isWell;
    // Random histories do not meet every rule; the edges are written for the others.
    expect((await isNoticedBy(edges)) || (await isNoticedBy(app))).toBe(true);
  });
});
