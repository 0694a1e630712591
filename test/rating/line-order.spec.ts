import { describe, expect, it } from '@jest/globals';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { WEEK, aCharge, aComponent, aContent, aRun, aTerm } from '../support/builders/billing.js';
import { countOf } from '../support/pure-account.js';

const plan = aContent({
  recurringCharges: [
    aCharge({ name: 'seat', timing: 'in_arrears', resetInterval: WEEK }),
    aCharge({ name: 'fee' }),
  ],
  components: [aComponent({ metricName: 'calls' })],
});
const other = aContent({ recurringCharges: [aCharge({ name: 'desk' }), aCharge({ name: 'extra' })] });
const AS_OF = '2026-02-01T00:30:00Z';

/** Bills the terms and returns their lines in order. The ids of the terms are in no order of the names. */
const linesOf = (terms: readonly RunTerm[], policy?: string) => {
  const data = aRun(terms, AS_OF, policy ? { policy } : {});
  const run = computeInvoice(
    data,
    usageNeeded(data).map((need) => countOf(need, [])),
  );
  if (run.type !== 'InvoiceComputed') throw new Error('an invoice is due');
  return run.invoice.lines.map(({ name, plan: of, period }) => [
    name,
    of!.name,
    period.start.slice(5, 10),
    period.end.slice(5, 10),
  ]);
};
const named = (name: string, content = plan, planName = 'Plan'): RunTerm => ({
  ...aTerm(content, { name }),
  planName,
});

describe('lines of an invoice', () => {
  it('are sorted by the start of their term, then by place in the plan, then by name', () => {
    const late = aTerm(other, { name: 'late', start: '2026-01-02' });
    const names = linesOf([late, named('x'), named('y', other)]).map(([name]) => name);
    expect(names).toEqual([
      ...['desk', 'seat', 'seat', 'seat', 'seat', 'seat', 'extra', 'fee', 'calls'],
      ...['desk', 'extra'],
    ]);
  });

  it('have one order whatever the ids of the terms are', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const orders = ids.flatMap((one) =>
      ids
        .filter((id) => id !== one)
        .map((id) => linesOf([named(one, plan, 'Gold'), named(id, plan, 'Silver')])),
    );
    for (const order of orders) expect(order).toEqual(orders[0]);
  });

  it('were sorted term by term under policy 2026-1', () => {
    const names = linesOf([named('x'), named('y', other)], '2026-1').map(([name]) => name);
    const [x, y] = [
      ['seat', 'seat', 'seat', 'seat', 'seat', 'fee', 'calls'],
      ['desk', 'extra'],
    ];
    expect([
      [...x!, ...y!],
      [...y!, ...x!],
    ]).toContainEqual(names);
  });
});
