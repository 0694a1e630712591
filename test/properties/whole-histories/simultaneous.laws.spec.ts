import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { History, Step } from '../../calculator/history.js';
import { allHistories, expectSameBooks } from './same-books.js';

/** Random histories in which many steps happen at the instant of the step before. */
const simultaneous: fc.Arbitrary<History> = fc
  .tuple(allHistories, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }))
  .map(([history, joins]) => {
    const steps: Step[] = [];
    for (const [index, step] of history.steps.entries()) {
      const isMovable = !['subscribe', 'track', 'advance'].includes(step.do);
      const before = steps.at(-1);
      steps.push(before && isMovable && joins[index % 40] ? { ...step, at: before.at } : step);
    }
    return { ...history, steps };
  });

it('calculator and engine have the same invoices where several changes happen at one instant', () => {
  let invoices = 0;
  const property = fc.property(simultaneous, (history) => void (invoices += expectSameBooks(history)));
  fc.assert(property, { seed: 20261128, numRuns: 45, includeErrorInReport: true });
  expect(invoices).toBeGreaterThan(50);
});
