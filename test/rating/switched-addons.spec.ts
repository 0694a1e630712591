import { describe, expect, it } from '@jest/globals';
import { instant } from '../../src/kernel/instant.js';
import type { Act } from '../properties/command-arbitraries.js';
import { CommandModel } from '../properties/command-model.js';
import { aCharge, aContent, aTerm } from '../support/builders/billing.js';

const NOW = { usage: 'transfer_to_new_subscription', invoicing: 'invoice_now' } as const;
const attached: Act = { kind: 'attach', term: 0, at: instant('2026-01-01'), addon: 0, quantity: 1 };
const switched = (at: string, plan: number): Act => ({
  kind: 'switch',
  term: 0,
  at: instant(at),
  plan,
  terms: NOW,
});

/** Returns what an add-on of 31.00 in advance was billed by these acts, on a plan that costs nothing. */
function billedOf(acts: readonly Act[], runs: readonly string[] = []): bigint {
  const addon = {
    name: 'support',
    content: aContent({ recurringCharges: [aCharge({ amount: '31.00' })] }),
    billingFrequency: 'one_time' as const,
    invoiceWhen: 'invoice_on_attach' as const,
  };
  const all = [...acts, ...runs.map((at): Act => ({ kind: 'run', term: 0, at: instant(at) }))];
  const model = new CommandModel({
    terms: [aTerm(aContent())],
    addons: [addon],
    plans: [aContent(), aContent()],
    usage: [],
    taxRate: null,
    acts: [],
    renewals: [],
  });
  for (const act of all.sort((a, b) => (a.at < b.at ? -1 : 1))) model.take(act);
  model.run(instant('2026-06-01'));
  expect(model.unconserved()).toEqual([]);
  return model.invoices
    .flatMap(({ lines }) => lines)
    .filter(({ addon: of }) => of)
    .reduce((sum, { base }) => sum + BigInt(base.amount), 0n);
}

describe('an add-on that a switch has moved', () => {
  it('is computed again at the end of the term, where that was moved before the switch', () => {
    const end = { days: 9, turnOffAutoRenew: false };
    const moved: Act = { kind: 'change-end', term: 0, at: instant('2026-01-02'), ...end };
    expect(billedOf([attached, moved, switched('2026-01-03', 0)])).toBe(1000n);
  });

  it('is billed again where its invoice is voided, also after all of it was settled', () => {
    const voided: Act = { kind: 'void', term: 0, at: instant('2026-04-01'), invoice: 0 };
    expect(billedOf([attached, switched('2026-01-03', 0), voided], ['2026-03-15'])).toBe(3100n);
  });

  it('is billed again too where it was cancelled between two switches', () => {
    const terms = { flatFee: null, usage: 'bill_full', invoicing: 'invoice_now' } as const;
    const cancelled: Act = { kind: 'cancel-addon', term: 0, at: instant('2026-01-11'), addon: 0, terms };
    const voided: Act = { kind: 'void', term: 0, at: instant('2026-04-01'), invoice: 0 };
    const acts = [attached, switched('2026-01-03', 0), cancelled, switched('2026-01-12', 1), voided];
    expect(billedOf(acts, ['2026-03-15'])).toBe(1000n);
  });
});
