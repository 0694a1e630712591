import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allHistories, expectSameBooks } from './same-books.js';

/** Most of a run; what a busy machine has not done by then is left out. */
const LIMIT_MS = 120_000;

it(
  'the calculator and the engine have the same invoices over a thousand histories',
  () => {
    let invoices = 0;
    const property = fc.property(allHistories, (history) => void (invoices += expectSameBooks(history)));
    fc.assert(property, { numRuns: 1_000, interruptAfterTimeLimit: LIMIT_MS, includeErrorInReport: true });
    expect(invoices).toBeGreaterThan(2_000);
  },
  5 * LIMIT_MS,
);
