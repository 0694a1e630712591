import { describe, expect, it } from '@jest/globals';
import { computeInvoice } from '../../src/billing/rating/compute-invoice.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { usageNeeded } from '../../src/billing/rating/usage-needs.js';
import { instant } from '../../src/kernel/instant.js';
import { namedId } from '../../src/kernel/ids.js';
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

/** Bills the terms and returns their lines. */
const billed = (terms: readonly RunTerm[], policy?: string) => {
  const data = aRun(terms, AS_OF, policy ? { policy } : {});
  const run = computeInvoice(
    data,
    usageNeeded(data).map((need) => countOf(need, [])),
  );
  if (run.type !== 'InvoiceComputed') throw new Error('an invoice is due');
  return run.invoice.lines;
};

/** Returns the lines of the terms in order. The ids of the terms are in no order of the names. */
const linesOf = (terms: readonly RunTerm[], policy?: string) =>
  billed(terms, policy).map(({ name, plan: of, period }) => [
    name,
    of!.name,
    period.start.slice(5, 10),
    period.end.slice(5, 10),
  ]);
const named = (name: string, content = plan, planName = 'Plan'): RunTerm => ({
  ...aTerm(content, { name }),
  planName,
});

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
/** Two ids, in either order. */
const pairs = ids.flatMap((one) => ids.filter((id) => id !== one).map((id) => [one, id] as const));

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
    const orders = pairs.map(([one, id]) => linesOf([named(one, plan, 'Gold'), named(id, plan, 'Silver')]));
    for (const order of orders) expect(order).toEqual(orders[0]);
  });

  describe('of add-ons of one name that begin at one instant', () => {
    const addon = aContent({ recurringCharges: [aCharge({ name: 'support', timing: 'in_arrears' })] });
    const attached = (name: string, planName: string, content = addon): RunTerm => ({
      ...named(name, content, planName),
      addon: {
        ...{ addonSubscriptionId: namedId(name), addonId: namedId('s'), addonVersionId: namedId('v') },
        ...{ name: 'S', quantity: 1, once: false, advanceChargesAtEnd: false, endsWithTerm: true },
      },
    });
    it('are sorted by their plans, whatever the ids are', () => {
      for (const [one, other] of pairs) {
        const terms = [attached(one, 'Silver'), attached(other, 'Gold')];
        expect(linesOf(terms).map(([, of]) => of)).toEqual(['Gold', 'Silver']);
      }
    });
  });

  it('are sorted by their prices where all that they show is equal', () => {
    const reduced = (amount: string) =>
      aContent({
        recurringCharges: [aCharge()],
        priceAdjustment: { name: 'less', description: null, type: 'fixed', amount },
      });
    const orders = pairs.map(([one, other]) =>
      billed([named(one, reduced('-4')), named(other, reduced('-2'))]).map(({ subtotal }) => subtotal.amount),
    );
    for (const order of orders) expect(order).toEqual(orders[0]);
  });

  it('are sorted by the starts of their subscriptions where two renewals are equal', () => {
    const renewed = (name: string, start: string): RunTerm => {
      const runTerm = aTerm(aContent({ recurringCharges: [aCharge()] }), { name });
      const anchor = { ...runTerm.term.basis.anchor, firstStart: instant(start) };
      return { ...runTerm, term: { ...runTerm.term, basis: { ...runTerm.term.basis, anchor } } };
    };
    for (const [one, other] of pairs) {
      const lines = billed([renewed(one, '2025-12-02'), renewed(other, '2025-12-01')]);
      expect(lines.map(({ subscriptionId }) => subscriptionId)).toEqual([namedId(other), namedId(one)]);
    }
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
