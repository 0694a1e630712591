import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UsagePart } from '../../src/billing/usage/usage-parts.js';
import { usageCharge } from '../../src/billing/rating/charges.js';
import { quantity, toDecimalText, type Quantity } from '../../src/kernel/quantity.js';
import { storedBooks } from '../books/books.js';
import { startOnWholeBooks } from '../books/opened-books.js';
import type { TestApp } from '../support/app.js';
import { closedWindows, type ClosedWindow } from '../support/closed-windows.js';

/** Quantities of lines have ten decimals, and several lines of a window are summed. */
const CLOSE = 1e-9;

const numberOf = (one: Quantity): number => Number(toDecimalText(one));

/** Policy 2026-1 shares a `total` by the billing period as cut: a cancellation changes the share of windows counted before it. */
const isSharedByCutPeriod = ({ runTerm: { term }, need: { definition } }: UsagePart): boolean =>
  term.basis.policy === '2026-1' && definition.granularity === 'total' && !term.scheduledEnd;

/** Five months of 75 customers with every kind of metric, switch, late usage and void. */
describe.each(storedBooks())('over the books of policy %s', (name) => {
  let app: TestApp;
  let windows: ClosedWindow[];

  beforeAll(async () => {
    app = await startOnWholeBooks(name);
    windows = await closedWindows(app);
  });
  afterAll(() => app.stop());

  it("a closed window's usage is what billing counted last", () => {
    expect(windows.length).toBeGreaterThan(650);
    const differing = windows
      .filter(({ part }) => !isSharedByCutPeriod(part))
      .map(({ shown, billed, part }) => [toDecimalText(shown), toDecimalText(billed), part.window.chargeKey])
      .filter(([shown, billed]) => shown !== billed);
    expect(differing).toEqual([]);
  });

  it('it is the quantity of its invoice lines, but for usage that costs nothing and has no line', () => {
    const differing = windows.filter(
      ({ billed, onLines }) => !onLines || Math.abs(numberOf(billed) - numberOf(onLines)) > CLOSE,
    );
    expect(differing.length).toBeLessThan(windows.length / 18);
    for (const { part, billed, onLines = quantity('0') } of differing) {
      const costOf = (used: Quantity) =>
        usageCharge(part.window.source.component, used, part.window, part.runTerm).exact;
      expect(toDecimalText(costOf(billed))).toBe(toDecimalText(costOf(onLines)));
    }
  });
});
