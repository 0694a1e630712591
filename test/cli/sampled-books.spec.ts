import { expect, it } from '@jest/globals';
import { storedBooks, storedEdges } from '../books/books.js';
import { startOnBooks } from '../books/opened-books.js';
import { rulesMetBy, withOtherRule } from '../support/former-rule.js';
import { recount } from '../support/recount.js';

/** Rules that do not occur in the random histories of the other books. */
const MET_BY_EDGES = [
  'chargeFullNeedsLength',
  'lineOrder',
  'reversalBearsNoNegativeTax',
  'reversalBearsTaxOfItsCharge',
  'adjustmentNeedsLine',
  'reductionCarriesAdjustment',
  'renewalCountsUsedDay',
  'roundsUnitsAndAddonsSeparately',
  'endSettles',
  'unchargedUnitsCover',
  'ordersByAllNames',
  'renewalCountsWholeFirstDay',
  'cancellationCutsEndedWindows',
  'separateUsageCutsAddonRates',
  'switchForgetsFirstFull',
  'windowsNeedBoundary',
  'boundariesMoveWithZone',
];

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
    const rules = rulesMetBy(name).filter((rule) => MET_BY_EDGES.includes(rule.name));
    const noticed = new Set<string>();
    for (const edges of storedEdges(name)) {
      const app = await startOnBooks(edges);
      try {
        const { lines, isWell } = await recount(app, 'verify', '--all');
        expect(lines[0]).toMatch(/^(19|20|[3-6]\d|1\d\d) invoices computed again in \S+ s: all as issued$/);
        expect(isWell).toBe(true);
        for (const rule of rules.filter(({ name: of }) => !noticed.has(of))) {
          const other = await withOtherRule(rule, name, () => recount(app, 'verify', '--all'));
          if (!other.isWell) noticed.add(rule.name);
        }
      } finally {
        await app.stop();
      }
    }
    expect([...noticed].sort()).toEqual(rules.map((rule) => rule.name).sort());
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
