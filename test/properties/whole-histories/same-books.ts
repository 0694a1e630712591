import { expect } from '@jest/globals';
import type fc from 'fast-check';
import { Calculator } from '../../calculator/calculator.js';
import { historyText, invoiceText } from '../../calculator/compare.js';
import { histories } from '../../calculator/histories.js';
import type { History } from '../../calculator/history.js';
import { EngineBooks } from '../../support/engine/engine-books.js';

/** Histories with every feature of the calculator. */
export const allHistories: fc.Arbitrary<History> = histories({
  adjustments: true,
  tax: true,
  credits: true,
  prepaid: true,
  switches: true,
  addons: true,
  voids: true,
  replacements: true,
});

/**
 * Expects the calculator and the engine to have the same invoices of a history and returns those of the engine;
 * throws with the first two that differ.
 */
export function sameBooks(history: History): EngineBooks['invoices'] {
  const [calculator, engine] = [new Calculator(history), new EngineBooks(history)];
  for (const step of history.steps) {
    calculator.take(step);
    engine.take(step);
  }
  const [wanted, found] = [calculator.invoices.map(invoiceText), engine.invoices.map(invoiceText)];
  const place = wanted.findIndex((invoice, n) => invoice !== found[n]);
  if (place >= 0 || found.length > wanted.length)
    expect(`${found.at(place)}\n${historyText(history)}`).toBe(
      `${wanted.at(place)}\n${historyText(history)}`,
    );
  expect(engine.creditLeft).toBe(calculator.creditLeft);
  return engine.invoices;
}

/** Expects what `sameBooks` expects. @returns the number of invoices */
export const expectSameBooks = (history: History): number => sameBooks(history).length;
