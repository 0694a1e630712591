import { describe, expect, it } from '@jest/globals';
import type { RunTerm } from '../../src/billing/rating/run.js';
import type { RecurringCharge } from '../../src/pricing/price-content.js';
import { instant } from '../../src/kernel/instant.js';
import { fromStored, toDecimal } from '../../src/kernel/money.js';
import type { Cancellation } from '../../src/subscription/domain/term-state.js';
import { aCharge, aComponent, aContent, aTerm } from '../support/builders/billing.js';
import { cancelledTerm } from '../support/builders/cancelled-term.js';
import { PureAccount } from '../support/pure-account.js';

const CUT = instant('2026-01-11');

/** Bills the account and returns the subtotals of its lines, without credits and lines of 0. */
function linesOf(account: PureAccount, asOf: string): string[] {
  const lines = account.bill(asOf)?.lines ?? [];
  return lines
    .filter(({ subscriptionId, base }) => subscriptionId !== null && base.amount !== '0')
    .map(({ subtotal }) => toDecimal(fromStored(subtotal)));
}

function cancelled(charge: Partial<RecurringCharge>, changes: Partial<Cancellation> = {}) {
  const content = aContent({ recurringCharges: [aCharge(charge)], components: [aComponent()] });
  const term = aTerm(content);
  const account = new PureAccount([term], [{ at: '2026-01-05T12:00:00.000000Z', n: '100' }]);
  account.run('2026-01-01');
  account.terms = [cancelledTerm(term, changes)];
  return account;
}

/**
 * Follows the table of docs/billing.md#cancellation. Usage worth 100.00 keeps every total positive, so that
 * each row has an invoice.
 */
describe('a cancellation after 10 of 31 days', () => {
  it.each([
    ['in_advance', 'prorate', null, ['9.68', '-30.00', '100.00']],
    ['in_advance', 'prorate', 'refund', ['-30.00', '100.00']],
    ['in_advance', 'prorate', 'charge_prorated', ['9.68', '-30.00', '100.00']],
    ['in_advance', 'prorate', 'charge_full', ['100.00']],
    ['in_advance', 'full', null, ['100.00']],
    ['in_advance', 'full', 'refund', ['-30.00', '100.00']],
    ['in_advance', 'full', 'charge_prorated', ['9.68', '-30.00', '100.00']],
    ['in_advance', 'full', 'charge_full', ['100.00']],
    ['in_arrears', 'prorate', null, ['9.68', '100.00']],
    ['in_arrears', 'prorate', 'refund', ['100.00']],
    ['in_arrears', 'prorate', 'charge_prorated', ['9.68', '100.00']],
    ['in_arrears', 'prorate', 'charge_full', ['30.00', '100.00']],
    ['in_arrears', 'full', null, ['30.00', '100.00']],
    ['in_arrears', 'full', 'refund', ['100.00']],
    ['in_arrears', 'full', 'charge_prorated', ['9.68', '100.00']],
    ['in_arrears', 'full', 'charge_full', ['30.00', '100.00']],
  ] as const)('%s, %s: %s bills %j', (timing, behavior, flatFee, lines) => {
    const account = cancelled({ timing, behavior }, { flatFee });
    expect(linesOf(account, CUT)).toEqual(lines);
    expect(linesOf(account, '2026-03-01')).toEqual([]);
  });

  it('bill_none never bills the open usage', () => {
    const account = cancelled({ timing: 'in_arrears' }, { usage: 'bill_none' });
    expect(linesOf(account, CUT)).toEqual(['9.68']);
    expect(linesOf(account, '2026-03-01')).toEqual([]);
  });

  it('add_to_next_invoice bills the same at the former end, with the grace of that boundary', () => {
    const billedAt = instant('2026-02-01');
    const account = cancelled({}, { invoicing: 'add_to_next_invoice', billedAt });
    expect(linesOf(account, '2026-02-01T00:29:59Z')).toEqual([]);
    expect(linesOf(account, '2026-02-01T00:30:00Z')).toEqual(['9.68', '-30.00', '100.00']);
  });

  it('at the instant of the start everything is credited back', () => {
    const term = aTerm(aContent({ recurringCharges: [aCharge()] }));
    const account = new PureAccount([term]);
    expect(linesOf(account, '2026-01-01')).toEqual(['30.00']);
    const other = aTerm(aContent({ recurringCharges: [aCharge({ amount: '50.00' })] }), { name: 'another' });
    account.terms = [cancelledTerm(term, {}, instant('2026-01-01')), other];
    expect(linesOf(account, '2026-01-01T00:00:01Z').sort()).toEqual(['-30.00', '50.00']);
  });

  it('before the start bills nothing', () => {
    const term = aTerm(aContent({ recurringCharges: [aCharge()], components: [aComponent()] }));
    const account = new PureAccount([cancelledTerm(term, {}, instant('2026-01-01'))]);
    expect(linesOf(account, '2025-12-20')).toEqual([]);
    expect(linesOf(account, '2026-02-10')).toEqual([]);
  });

  it('a fixed reduction is prorated with what is kept', () => {
    const priceAdjustment = { name: 'a', description: null, type: 'fixed', amount: '-10.00' } as const;
    const term = aTerm(
      aContent({
        recurringCharges: [aCharge({ amount: '31.00' })],
        components: [aComponent()],
        priceAdjustment,
      }),
    );
    const account = new PureAccount([term], [{ at: '2026-01-05T12:00:00.000000Z', n: '100' }]);
    expect(linesOf(account, '2026-01-01')).toEqual(['21.00']);
    account.terms = [cancelledTerm(term)];
    // Charged: 10.00 + 100.00 − 3.23, the prorated amount. Reversed as it was charged: 31.00 − 10.00.
    expect(linesOf(account, CUT)).toEqual(['9.71', '-21.00', '97.06']);
  });

  it('a reversal has the tax of the charge it reverses', () => {
    const content = aContent({ recurringCharges: [aCharge()], components: [aComponent()] });
    const term = aTerm(content);
    const settings = { taxRate: '10', paymentGraceDays: null, lateEventGraceMinutes: 30 };
    const usage = [{ at: '2026-01-05T12:00:00.000000Z', n: '100' }];
    const account = new PureAccount([term], usage, { organization: { settings, revision: '0' } });
    account.run('2026-01-01');
    account.terms = [cancelledTerm(term)];
    const amounts = account.bill(CUT)!.lines.map(({ amount }) => toDecimal(fromStored(amount)));
    expect(amounts.slice(0, 3)).toEqual(['10.65', '-33.00', '110.00']);
  });
});

describe('an end that is moved', () => {
  const moved = (term: RunTerm, end: string): RunTerm => ({
    ...term,
    term: { ...term.term, end: instant(end), scheduledEnd: false },
    endMoved: true,
  });
  const content = aContent({ recurringCharges: [aCharge({ amount: '31.00' })], components: [aComponent()] });
  const term = () => aTerm(content);
  const usage = [{ at: '2026-01-05T12:00:00.000000Z', n: '100' }];

  it('earlier credits back, at the new end, what was charged for the time after it', () => {
    const account = new PureAccount([term()], usage);
    account.run('2026-01-01');
    account.terms = [moved(term(), '2026-01-22')];
    expect(linesOf(account, '2026-01-22T00:29:59Z')).toEqual([]);
    expect(linesOf(account, '2026-01-22T00:30:00Z')).toEqual(['21.00', '-31.00', '100.00']);
  });

  it('later and back again nets to zero', () => {
    const account = new PureAccount([term()], usage);
    account.run('2026-01-01');
    account.terms = [moved(term(), '2026-02-01')];
    expect(linesOf(account, '2026-02-01T00:30:00Z')).toEqual(['100.00']);
  });

  it('later charges the next periods as they begin', () => {
    const account = new PureAccount([term()], usage);
    account.run('2026-01-01');
    account.terms = [moved(term(), '2026-02-15')];
    expect(linesOf(account, '2026-02-01T00:30:00Z')).toEqual(['15.50', '100.00']);
    expect(linesOf(account, '2026-02-15T00:30:00Z')).toEqual([]);
  });
});
