import { expect, it } from '@jest/globals';
import { FIRST_POLICY, POLICY } from '../../src/pricing/policy.js';
import { storedBooks } from '../books/books.js';
import { startOnBooks } from '../books/opened-books.js';
import { FORMER_RULES, withRuleOf } from '../support/former-rule.js';
import { recount } from '../support/recount.js';

/** Rules that do not occur in the random histories of the other books. */
const MET_BY_EDGES = ['fullNeedsTime', 'lineOrder', 'reversalBearsNoNegativeTax'];

/** One of this many customers is verified here; test/long verifies all of them. */
const ONE_IN = 15;

it.each(storedBooks())(
  'invoices of some customers in the books that policy %s wrote verify',
  async (name) => {
    const app = await startOnBooks(name, ONE_IN);
    try {
      const { rows } = await app.pool.query<{ number: string }>(
        'select invoice_number as number from invoices',
      );
      const { lines, isWell } = await recount(app, 'verify', ...rows.map(({ number }) => number));
      expect(lines).toEqual([
        expect.stringMatching(/^\d{2,} invoices computed again in \S+ s: all as issued$/),
      ]);
      expect(isWell).toBe(true);
    } finally {
      await app.stop();
    }
  },
);

it.each(storedBooks())(
  'every invoice of the books verifies that meet each rule of policy %s',
  async (name) => {
    const app = await startOnBooks(`edges/${name}`);
    try {
      const { lines, isWell } = await recount(app, 'verify', '--all');
      expect(lines[0]).toMatch(/^(19|20) invoices computed again in \S+ s: all as issued$/);
      expect(isWell).toBe(true);
      const from = name === POLICY ? FIRST_POLICY : POLICY;
      for (const rule of FORMER_RULES.filter((one) => MET_BY_EDGES.includes(one.name))) {
        const flipped = await withRuleOf(rule, { policy: name, from }, () => recount(app, 'verify', '--all'));
        expect([rule.name, flipped.isWell]).toEqual([rule.name, false]);
      }
    } finally {
      await app.stop();
    }
  },
);

// Books of the commit before "Keep the counts that a void recalls for settled terms".
it('a rebill verifies that a release issued with a line of 0, as it had lost the counts that the void recalled', async () => {
  const app = await startOnBooks('voids/2026-2');
  try {
    const { lines, isWell } = await recount(app, 'verify', '--all');
    expect(lines[0]).toMatch(/^4 invoices computed again in \S+ s: all as issued$/);
    expect(isWell).toBe(true);
    const { rows } = await app.pool.query<{ count: string }>(
      'select count(*) from usage_closes group by subscription_id, window_start order by 1',
    );
    expect(rows.map(({ count }) => Number(count))).toEqual([1, 2]);
  } finally {
    await app.stop();
  }
});
