import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allHistories, expectSameBooks } from './same-books.js';

/** Time limit. An idle machine needs about two minutes, a busy one many times as long. */
const LIMIT_MS = 1_400_000;

it(
  'the calculator and the engine have the same invoices over hundreds of histories',
  () => {
    let invoices = 0;
    const property = fc.property(allHistories, (history) => void (invoices += expectSameBooks(history)));
    fc.assert(property, { numRuns: 500, includeErrorInReport: true });
    expect(invoices).toBeGreaterThan(2_000);
  },
  LIMIT_MS,
);
