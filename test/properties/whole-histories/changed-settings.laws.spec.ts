import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { History, Step } from '../../calculator/history.js';
import { tries } from '../../support/law-runs.js';
import { allHistories, expectSameBooks } from './same-books.js';

type Change = { readonly do: 'basis'; readonly proration_basis: 'second' | 'day' } | Move;
interface Move {
  readonly do: 'zone';
  readonly timezone: string;
}

const basis = fc
  .constantFrom('second' as const, 'day' as const)
  .map((proration_basis): Change => ({ do: 'basis', proration_basis }));
const zone = fc
  .constantFrom('UTC', 'America/Los_Angeles', 'America/Havana', 'Asia/Kolkata', 'Pacific/Kiritimati')
  .map((timezone): Change => ({ do: 'zone', timezone }));

/** Random histories in which settings change after some steps, and all subscriptions renew. */
const changing = (changes: fc.Arbitrary<Change>): fc.Arbitrary<History> =>
  fc
    .tuple(allHistories, fc.array(fc.option(changes, { freq: 1 }), { minLength: 40, maxLength: 40 }))
    .map(([history, drawn]) => {
      const steps = history.steps.flatMap((step, index): Step[] => {
        const change = drawn[index % drawn.length];
        return [renewing(step), ...(change ? [{ at: step.at, ...change }] : [])];
      });
      return { ...history, steps };
    });

function renewing(step: Step): Step {
  if (step.do === 'subscribe') return { ...step, auto_renew: true };
  return step.do === 'update' ? { ...step, turn_off_auto_renew: false } : step;
}

it.each([
  ['proration basis changes', basis],
  ['time zone changes', zone],
  ['proration basis and time zone change', fc.oneof(basis, zone)],
])('calculator and engine have the same invoices where the %s', (_, changes) => {
  let invoices = 0;
  const property = fc.property(changing(changes), (history) => void (invoices += expectSameBooks(history)));
  fc.assert(property, { seed: 20261128, ...tries(30), includeErrorInReport: true });
  expect(invoices).toBeGreaterThan(50);
});
