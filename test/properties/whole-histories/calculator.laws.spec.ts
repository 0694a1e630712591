import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allHistories, expectSameBooks } from './same-books.js';

it('an independent calculator of whole histories has the invoices of the engine, line by line and to the cent', () => {
  let invoices = 0;
  const property = fc.property(allHistories, (history) => void (invoices += expectSameBooks(history)));
  fc.assert(property, { seed: 20261122, numRuns: 45, includeErrorInReport: true });
  expect(invoices).toBeGreaterThan(100);
});
