import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Calculator } from '../../../calculator/calculator.js';
import { historyText, invoiceText } from '../../../calculator/compare.js';
import type { History } from '../../../calculator/history.js';
import { anotherTenant } from '../../../support/another-tenant.js';
import { startTestApp, type TestApp } from '../../../support/app.js';
import { closedWindows } from '../../../support/closed-windows.js';
import { toDecimalText } from '../../../../src/kernel/quantity.js';
import { allHistories } from '../same-books.js';
import { HttpBooks } from './http-books.js';

/** Start of the test clock, before the first step of every history. */
const CLOCK_START = '2025-10-31T00:00:00Z';
const HISTORIES = 40;

/**
 * Reduces a history to what HTTP accepts. The API refuses a second subscription to a plan at a time, so one
 * is kept. A version is replaced only by another version of its plan, and the plans of a history have one
 * version each.
 */
const ofOneSubscription = (history: History): History => ({
  ...history,
  steps: history.steps
    .filter((step) => !('subscription' in step) || step.subscription === 'S0')
    .filter((step) => step.do !== 'replace'),
});

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clockStart: CLOCK_START });
});
afterAll(() => app.stop());

it('the service over HTTP on PostgreSQL has the invoices of the calculator, line by line and to the cent', async () => {
  const cases = fc.sample(allHistories.map(ofOneSubscription), { seed: 20261122, numRuns: HISTORIES });
  let invoices = 0;
  for (const history of cases) {
    const { request } = await anotherTenant(app);
    const [calculator, books] = [new Calculator(history), new HttpBooks(request, history)];
    await books.open();
    for (const step of history.steps) {
      await books.take(step);
      calculator.take(step);
    }
    const [wanted, found] = [calculator.invoices, await books.invoices()].map((list) =>
      list.map(invoiceText),
    );
    const place = wanted!.findIndex((invoice, n) => invoice !== found![n]);
    if (place >= 0 || found!.length > wanted!.length)
      expect(`${found!.at(place)}\n${historyText(history)}`).toBe(
        `${wanted!.at(place)}\n${historyText(history)}`,
      );
    invoices += wanted!.length;
  }
  expect(invoices).toBeGreaterThan(200);
}, 900_000);

it("a closed window's usage, as callers see it, is what its invoice counted", async () => {
  const windows = await closedWindows(app);
  expect(windows.length).toBeGreaterThan(100);
  const differing = windows
    .map(({ shown, billed, part }) => [toDecimalText(shown), toDecimalText(billed), part.window.chargeKey])
    .filter(([shown, billed]) => shown !== billed);
  expect(differing).toEqual([]);
}, 300_000);
