import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FIRST_POLICY, POLICY } from '../../src/pricing/policy.js';
import { keptBooks } from '../books/books.js';
import { openedBooks } from '../books/opened-books.js';
import type { TestApp } from '../support/app.js';
import { FORMER_RULES, withRuleOf } from '../support/former-rule.js';
import { recount } from '../support/recount.js';

/** Rules that the histories of the kept books meet. test/golden/policies.spec.ts holds an amount of every rule. */
const MET = ['total', 'monthsOfWindows', 'rateLooksBeforeStart', 'cancellationSettles'];

describe.each(keptBooks())('the books that policy %s wrote', (name) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await openedBooks(name);
  });
  afterAll(() => app.stop());

  it('verify, every invoice', async () => {
    const { lines, isWell } = await recount(app, 'verify', '--all');
    expect(lines).toEqual([
      expect.stringMatching(/^\d{3,} invoices computed again in \S+ s: all as issued$/),
      expect.stringMatching(/^numbers of \d+ days: without gap or repeat, as they were assigned$/),
    ]);
    expect(isWell).toBe(true);
  });

  it.each(FORMER_RULES)(
    'notice the rule $name of another policy, where their histories meet it',
    async (rule) => {
      const from = name === POLICY ? FIRST_POLICY : POLICY;
      const { isWell } = await withRuleOf(rule, { policy: name, from }, () =>
        recount(app, 'verify', '--all'),
      );
      expect(isWell).toBe(!MET.includes(rule.name));
    },
  );
});
