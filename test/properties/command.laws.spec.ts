import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TermBillingStatus } from '../../src/billing/accounts/domain/event-data.js';
import type { RunResult } from '../../src/billing/accounts/domain/run-result.js';
import { verifyInvoice } from '../../src/billing/rating/verify.js';
import { MINUTE, plusMicros, type Instant } from '../../src/kernel/instant.js';
import { tries } from '../support/law-runs.js';
import { AT_LAST } from './billing-arbitraries.js';
import { commandHistories } from './command-arbitraries.js';
import { CommandModel } from './command-model.js';

type Due = Pick<TermBillingStatus, 'nextDueAt' | 'nextDueGraced'>;

const statusesOf = (run: RunResult): readonly TermBillingStatus[] =>
  run.type === 'InvoiceComputed' ? run.invoice.terms : run.nothing.terms;

function expectBalanced(model: CommandModel): void {
  const { open, charged, below } = model.balance();
  expect({ open, below }).toEqual({ open: charged, below: [] });
}

describe('laws of billing over histories of commands (docs/billing.md)', () => {
  it('are tried with renewals in another zone and by another proration basis', () => {
    const histories = fc.sample(commandHistories, { numRuns: 50, seed: 20261122 });
    const renewals = histories.flatMap((history) => history.renewals.flat());
    expect(renewals.some(({ zone }) => zone !== null)).toBe(true);
    expect(renewals.some(({ prorationBasis }) => prorationBasis !== null)).toBe(true);
  });

  it('conservation: whatever is commanded, used, voided and paid between runs, everything is charged once', () => {
    fc.assert(
      fc.property(commandHistories, (history) => {
        const model = new CommandModel(history);
        for (const act of history.acts) model.take(act);
        model.run(AT_LAST);
        expect(model.unconserved()).toEqual([]);
        expectBalanced(model);
        const { held, received } = model.spendable();
        expect(held <= received).toBe(true);
      }),
      tries(100),
    );
  });

  it('every run is repeatable and verifies, and a run right after it has nothing to bill', () => {
    fc.assert(
      fc.property(commandHistories, (history) => {
        const model = new CommandModel(history);
        for (const act of history.acts) {
          model.take(act);
          model.account.terms = model.subscriptionModel.members();
          const [preview, again] = [model.account.preview(act.at), model.account.preview(act.at)];
          expect(model.account.run(act.at)).toEqual(preview);
          if (preview.type === 'InvoiceComputed')
            expect(verifyInvoice(preview.invoice, again).differences).toEqual([]);
          const after = plusMicros(act.at, 1n);
          if (preview.type === 'InvoiceComputed')
            expect(model.account.preview(after)).toMatchObject({ type: 'NothingDue', closedPeriods: [] });
          expectBalanced(model);
        }
      }),
      tries(20),
    );
  });

  it('run at commands and at the instants that runs name, everything is billed and nothing is left due', () => {
    fc.assert(
      fc.property(commandHistories, (history) => {
        const model = new CommandModel(history);
        const names = new Map<string, Due>();
        const note = (run: RunResult) => statusesOf(run).forEach((s) => names.set(s.subscriptionId, s));
        const start = history.terms.map(({ term }) => term.start).sort()[0]!;
        /**
         * Runs billing at an instant. A boundary makes both of its terms due, with the grace (projection
         * due-billing).
         */
        const runAt = (asOf: Instant) => {
          for (const { at, closed, begun } of model.subscriptionModel.close(asOf)) {
            for (const id of begun ? [closed, begun] : [closed]) {
              const known = names.get(id)?.nextDueAt;
              if (!known || known >= at) names.set(id, { nextDueAt: at, nextDueGraced: true });
            }
          }
          note(model.run(asOf));
        };
        const nextDue = () =>
          [...names.values()]
            .flatMap((s) =>
              s.nextDueAt ? [plusMicros(s.nextDueAt, s.nextDueGraced ? 30n * MINUTE : 0n)] : [],
            )
            .concat(model.subscriptionModel.nextBoundary() ?? [])
            .sort()[0];
        runAt(start);
        for (const act of [...history.acts.filter(({ at }) => at > start), undefined]) {
          for (let at = nextDue(); at && at <= (act?.at ?? AT_LAST); at = nextDue()) runAt(at);
          if (act === undefined) break;
          const run = model.take(act);
          if (run) note(run);
          // A change makes its term due, at the earliest at the change itself (projection due-billing).
          runAt(plusMicros(act.at, 1n));
        }
        const billed = model.invoices.length;
        model.run(AT_LAST);
        expect(model.invoices).toHaveLength(billed);
        expect(model.unconserved()).toEqual([]);
      }),
      tries(20),
    );
  });
});
