import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ADDON_HISTORIES } from './addon-histories.js';
import { docHistories } from './doc-histories.js';
import { allHistories, expectSameBooks } from './same-books.js';

it('an independent calculator of whole histories has the invoices of the engine, line by line and to the cent', () => {
  let invoices = 0;
  const property = fc.property(allHistories, (history) => void (invoices += expectSameBooks(history)));
  fc.assert(property, { seed: 20261122, numRuns: 45, includeErrorInReport: true });
  expect(invoices).toBeGreaterThan(100);
});

it.each([...docHistories()])('both have the invoices of the example %s', (_, history) => {
  expect(expectSameBooks(history)).toBeGreaterThan(0);
});

it.each(ADDON_HISTORIES)('both have the same invoices where an add-on %s', (_, history) => {
  expect(expectSameBooks(history)).toBeGreaterThan(1);
});
