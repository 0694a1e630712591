import { describe, expect, it } from '@jest/globals';
import { computeInvoice, invoiceSteps } from '../../src/billing/rating/compute-invoice.js';
import { scheduleSteps, schedulesOf } from '../../src/billing/rating/usage-needs.js';
import { computeRun } from '../../src/billing/runs/compute-run.js';
import { aCharge, aContent, aRun, aTerm } from '../support/builders/billing.js';

const plan = aContent({ recurringCharges: [aCharge({ name: 'fee' })] });
const noUsage = { count: () => Promise.resolve([]) };
const runOver = (terms: number) =>
  aRun(
    Array.from({ length: terms }, (_, index) => aTerm(plan, { name: `term ${index}` })),
    '2026-02-01T00:30:00Z',
  );

describe('a billing run', () => {
  it('is computed in steps of a term at most, so that others run between them', () => {
    const run = runOver(200);
    expect([...scheduleSteps(run)].length).toBeGreaterThan(200);
    expect([...invoiceSteps(run, [], schedulesOf(run))].length).toBeGreaterThan(200);
  });

  it('gives the result of the pure computation', async () => {
    expect(await computeRun(noUsage, runOver(30))).toEqual(computeInvoice(runOver(30), []));
  });
});
