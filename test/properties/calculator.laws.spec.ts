import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Calculator } from '../calculator/calculator.js';
import { told, written } from '../calculator/compare.js';
import { histories } from '../calculator/histories.js';
import type { History } from '../calculator/history.js';
import { withoutKnownFaults } from '../calculator/known-faults.js';
import type { Dimensions } from '../calculator/prices.js';
import { theSame, tries } from '../support/law-runs.js';
import { EngineBooks } from './engine-books.js';

const ALL: Dimensions = { adjustments: true, tax: true, credits: true, prepaid: false };

/** Throws with both invoices and the history where they differ. */
function expectSameBooks(history: History): void {
  const [calculator, engine] = [new Calculator(history), new EngineBooks(history)];
  for (const step of history.steps) {
    calculator.take(step);
    engine.take(step);
  }
  const [wanted, found] = [calculator.invoices.map(written), engine.invoices.map(written)];
  const place = wanted.findIndex((invoice, n) => invoice !== found[n]);
  if (place >= 0 || found.length > wanted.length)
    expect(`${found[place]}\n${told(history)}`).toBe(`${wanted[place]}\n${told(history)}`);
  expect(engine.creditLeft).toBe(calculator.creditLeft);
}

describe('an independent calculator (test/calculator) of whole histories', () => {
  const cases = histories(ALL).map(withoutKnownFaults);

  it('has the invoices of the engine, line by line and to the cent', () => {
    const property = fc.property(cases, expectSameBooks);
    const examples = theSame(20, cases).examples.map((one): [History] => [one]);
    fc.assert(property, { ...tries(60), examples, includeErrorInReport: true });
  });
});
