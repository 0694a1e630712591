import { describe, expect, it } from '@jest/globals';
import { initialAccount } from '../../src/billing/accounts/domain/account-state.js';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { termsNeededByOthers, unsettledTerms } from '../../src/billing/rating/run-terms.js';
import { namedId } from '../../src/kernel/ids.js';
import { instant } from '../../src/kernel/instant.js';
import { PRICING_POLICY } from '../../src/pricing/pricing-policy.js';
import { aContent, aTerm } from '../support/builders/billing.js';

const [EARLY, NOW, LATER] = ['2026-01-05', '2026-01-10', '2026-01-20'].map((date) => instant(date)) as [
  never,
  never,
  never,
];
const ending = (name: string, end: string, changes: Partial<RunTerm> = {}): RunTerm => ({
  ...aTerm(aContent(), { name, end }),
  ...changes,
});
const cancelledAt = (billedAt: never, invoicing: 'invoice_now' | 'add_to_next_invoice' = 'invoice_now') => ({
  endedBy: 'cancelled' as const,
  cancelled: { flatFee: null, usage: 'bill_full' as const, invoicing, billedAt },
});
const settledBy = (terms: readonly RunTerm[], policy = PRICING_POLICY) =>
  unsettledTerms({ terms, policy, account: initialAccount() }).map((term) => term.dueByOtherTerms);
const at = (date: string, graced = false) => [{ at: instant(date), graced }];

describe('a cancellation that is invoiced at once', () => {
  const over = () => ending('over', '2026-01-05');
  const running = () => ending('running', '2026-02-01');

  it('settles what is over by then, and leaves what runs', () => {
    const ended = ending('cancelled', '2026-01-10', cancelledAt(NOW));
    expect(settledBy([over(), ended, running()])).toEqual([at(NOW), at(NOW), undefined]);
  });

  it('settles nothing where it waits for the next invoice, or is of an add-on', () => {
    const waits = ending('cancelled', '2026-01-10', cancelledAt(LATER, 'add_to_next_invoice'));
    const addon = ending('over', '2026-01-05', { ...cancelledAt(NOW), addon: {} as never });
    for (const one of [waits, addon]) expect(settledBy([over(), one])[0]).toBeUndefined();
  });

  it('settles what was over at the first of several', () => {
    const ended = [NOW, EARLY, LATER].map((at, n) => ending(`cancelled ${n}`, '2026-01-05', cancelledAt(at)));
    expect(settledBy([over(), ...ended])[0]).toEqual(at(EARLY));
  });

  it('settled its own term alone under policy 2026-1', () => {
    const ended = ending('cancelled', '2026-01-10', cancelledAt(NOW));
    expect(settledBy([over(), ended], '2026-1')).toEqual([undefined, undefined]);
  });
});

describe('the end of a subscription', () => {
  const FEBRUARY = instant('2026-02-01');
  /** Returns a term that a switch ends, whose settlement waits for the end of January. */
  const switched = (name: string, end: string, successor: string): RunTerm =>
    ending(name, end, {
      endedBy: 'switched',
      switched: {
        usage: 'keep_separate',
        invoicing: 'add_to_next_invoice',
        billedAt: FEBRUARY,
        periodEnd: FEBRUARY,
        moved: [],
        successor: aTerm(aContent(), { name: successor }).term,
      },
    });
  const a = () => switched('a', '2026-01-05', 'b');
  const b = () => switched('b', '2026-01-10', 'c');

  it('settles every plan that switches ended', () => {
    const last = ending('c', '2026-01-20');
    expect(settledBy([a(), b(), last])).toEqual([at(LATER, true), at(LATER, true), undefined]);
  });

  it('settles them where a cancellation of the last waits for the next invoice', () => {
    const last = ending('c', '2026-01-15', cancelledAt(LATER, 'add_to_next_invoice'));
    expect(settledBy([b(), last])).toEqual([at(LATER, true), undefined]);
  });

  it('settles a cancelled add-on, and none that ends with its term', () => {
    const term = ending('term', '2026-01-20');
    const addon = { ...term, addon: {} as never };
    const cancelled = { ...addon, ...cancelledAt(FEBRUARY as never, 'add_to_next_invoice') };
    expect(settledBy([term, addon, cancelled])).toEqual([undefined, undefined, at(LATER, true)]);
  });

  it('is not known without the next term', () => {
    expect(settledBy([a(), ending('c', '2026-01-20')])).toEqual([undefined, undefined]);
  });

  it('has come for a term that a void brings back after its successor was settled', () => {
    const account = { ...initialAccount(), settled: new Set([namedId('c')]) };
    const [recalled] = unsettledTerms({
      terms: [b(), ending('c', '2026-01-20')],
      policy: PRICING_POLICY,
      account,
    });
    expect(recalled!.dueByOtherTerms).toEqual(at('2026-01-10'));
  });

  it('settled its last term alone under policy 2026-2', () => {
    expect(settledBy([b(), ending('c', '2026-01-20')], '2026-2')).toEqual([undefined, undefined]);
  });

  it('is found through terms that owe nothing more', () => {
    const due = { at: FEBRUARY, graced: true };
    const schedules = [a(), b(), ending('c', '2026-01-20')].map((runTerm, n) => ({
      runTerm,
      next: n === 0 ? due : null,
    }));
    expect([...termsNeededByOthers(schedules, PRICING_POLICY)]).toEqual(['b', 'c'].map(namedId));
    expect(termsNeededByOthers(schedules.slice(1), PRICING_POLICY).size).toBe(0);
    expect(termsNeededByOthers(schedules, '2026-2').size).toBe(0);
  });
});
