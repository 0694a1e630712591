import { describe, expect, it } from '@jest/globals';
import { calculationsOf } from '../../src/audit/queries/line-calculation.js';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { instant } from '../../src/kernel/instant.js';
import { exactText } from '../../src/kernel/quantity.js';
import { usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { aComponent, aContent, aRun, aTerm, perUnit } from '../support/builders/billing.js';
import { cancelledTerm } from '../support/builders/cancelled-term.js';
import { countOf } from '../support/pure-account.js';
import { switchedInto } from '../support/builders/switched-terms.js';

const START = '2026-01-11T00:00:00.000000Z';
const component = aComponent({ tiers: [perUnit('1.00')], prepaid: { units: '10', behavior: 'prorate' } });
const { metricId, resetInterval } = component;

/** A term that continues prepaid units of 10.00 since 1 January, from 11 January on. */
function continued(prepaidChanges: RunTerm['prepaidChanges'] = []): RunTerm {
  const runTerm = aTerm(aContent({ recurringCharges: [], components: [component] }));
  const since = runTerm.term.start;
  const units = [{ metricId, amount: '10', resetInterval, since }];
  const prepaidUnits = [{ metricId, units: prepaidChanges.at(-1)?.units ?? '10' }];
  const term = { ...switchedInto(runTerm.term, instant(START), { units }), prepaidUnits };
  return { ...runTerm, term, prepaidChanges };
}

/** Returns each step of the first line as `amount`, with the factors that are rounded where it is cumulative. */
function stepsOf(runTerm: RunTerm): { steps: string[]; exact: string } {
  const data = aRun([runTerm], START);
  const result = computeInvoice(data, []);
  if (result.type !== 'InvoiceComputed') throw new Error('nothing is due');
  const { steps, exact } = calculationsOf(data, () => undefined)(result.invoice.lines[0]!)!;
  return {
    steps: steps.map(({ amount, cumulative }) =>
      [amount, ...(cumulative ? [cumulative.before, cumulative.upTo] : [])].map(exactText).join(' '),
    ),
    exact: exactText(exact),
  };
}

describe('the calculation of prepaid units that continue those of an earlier term', () => {
  it('has the factors up to the start and up to the end of the part', () => {
    expect(stepsOf(continued())).toEqual({ steps: ['6.77 10/31 1'], exact: '6.77' });
  });

  it('has them for the part before the first change alone', () => {
    const change = { metricId, units: '20', unitsBefore: '10', effectiveAt: instant('2026-01-21') };
    expect(stepsOf(continued([{ ...change, invoiceNow: true }]))).toEqual({
      steps: ['3.22 10/31 20/31', '220/31'],
      exact: '15991/1550',
    });
  });
});

describe('the calculation of usage whose prepaid units are charged nothing', () => {
  it('has the whole usage and no units', () => {
    const runTerm = aTerm(aContent({ recurringCharges: [], components: [component] }));
    const usage = [{ metricId, since: runTerm.term.start }];
    const term = { ...switchedInto(runTerm.term, instant(START), { usage }), end: instant(START) };
    const empty = cancelledTerm({ ...runTerm, term });
    const data = aRun([empty], START);
    const counted = usageNeeded(data).map((need) =>
      countOf(need, [{ at: '2026-01-05T00:00:00.000000Z', n: '4' }]),
    );
    const result = computeInvoice(data, counted);
    if (result.type !== 'InvoiceComputed') throw new Error('nothing is due');
    const [period] = result.closedPeriods;
    const { steps } = calculationsOf(data, () => period)(result.invoice.lines[0]!)!;
    expect(steps.map(({ what, units, prepaidUnits }) => [what, exactText(units), prepaidUnits])).toEqual([
      ['usage', '4', null],
    ]);
  });
});
