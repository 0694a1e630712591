import { describe, expect, it } from '@jest/globals';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { withSettlements } from '../../src/billing/rating/run-terms.js';
import { instant } from '../../src/kernel/instant.js';
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
  cut: 'cancelled' as const,
  cancelled: { flatFee: null, usage: 'bill_full' as const, invoicing, billedAt },
});
const settledBy = (terms: readonly RunTerm[], policy = '2026-2') =>
  withSettlements(terms, { policy }).map((term) => term.settledBy);

describe('a cancellation that is invoiced at once', () => {
  const over = () => ending('over', '2026-01-05');
  const running = () => ending('running', '2026-02-01');

  it('settles what is over by then, and leaves what runs', () => {
    const ended = ending('cancelled', '2026-01-10', cancelledAt(NOW));
    expect(settledBy([over(), ended, running()])).toEqual([NOW, NOW, undefined]);
  });

  it('settles nothing where it waits for the next invoice, or is of an add-on', () => {
    const waits = ending('cancelled', '2026-01-10', cancelledAt(LATER, 'add_to_next_invoice'));
    const addon = ending('add-on', '2026-01-10', { ...cancelledAt(NOW), addon: {} as never });
    for (const one of [waits, addon]) expect(settledBy([over(), one])).toEqual([undefined, undefined]);
  });

  it('settles what was over at the first of several', () => {
    const ended = [NOW, EARLY, LATER].map((at, n) => ending(`cancelled ${n}`, '2026-01-05', cancelledAt(at)));
    expect(settledBy([over(), ...ended])[0]).toBe(EARLY);
  });

  it('settled its own term alone under policy 2026-1', () => {
    const ended = ending('cancelled', '2026-01-10', cancelledAt(NOW));
    expect(settledBy([over(), ended], '2026-1')).toEqual([undefined, undefined]);
  });
});
