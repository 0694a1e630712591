import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { History, Step } from '../../calculator/history.js';
import { allHistories, expectSameBooks } from './same-books.js';

const bases = fc.array(fc.constantFrom(null, null, 'second' as const, 'day' as const), {
  minLength: 40,
  maxLength: 40,
});

/** Random histories in which the proration basis changes and all subscriptions renew. */
const changed: fc.Arbitrary<History> = fc.tuple(allHistories, bases).map(([history, drawn]) => {
  const steps = history.steps.flatMap((step, index): Step[] => {
    const proration_basis = drawn[index % drawn.length];
    return [
      renewing(step),
      ...(proration_basis ? [{ at: step.at, do: 'basis' as const, proration_basis }] : []),
    ];
  });
  return { ...history, steps };
});

function renewing(step: Step): Step {
  if (step.do === 'subscribe') return { ...step, auto_renew: true };
  return step.do === 'update' ? { ...step, turn_off_auto_renew: false } : step;
}

it('calculator and engine have the same invoices where the proration basis changes', () => {
  let invoices = 0;
  const property = fc.property(changed, (history) => void (invoices += expectSameBooks(history)));
  fc.assert(property, { seed: 20261128, numRuns: 45, includeErrorInReport: true });
  expect(invoices).toBeGreaterThan(50);
});
