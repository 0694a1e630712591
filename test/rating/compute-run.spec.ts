import { describe, expect, it } from '@jest/globals';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import { computeRun } from '../../src/billing/runs/compute-run.js';
import { aCharge, aContent, aRun, aTerm } from '../support/builders/billing.js';

const plan = aContent({ recurringCharges: [aCharge({ name: 'fee' })] });
const noUsage = { count: () => Promise.resolve([]) };
const runOver = (terms: number) =>
  aRun(
    Array.from({ length: terms }, (_, index) => aTerm(plan, { name: `term ${index}` })),
    '2026-02-01T00:30:00Z',
  );

/** Turns of the event loop that others have while the work goes on. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

describe('a billing run', () => {
  it('lets others go on between its steps when it has many terms', async () => {
    expect(await turnsDuring(() => computeRun(noUsage, runOver(200)))).toBeGreaterThanOrEqual(3);
  });

  it('waits for nobody when it has few', async () => {
    expect(await turnsDuring(() => computeRun(noUsage, runOver(2)))).toBe(0);
  });

  it('gives the result of the pure computation', async () => {
    expect(await computeRun(noUsage, runOver(30))).toEqual(computeInvoice(runOver(30), []));
  });
});
