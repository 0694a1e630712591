import { describe, expect, it } from '@jest/globals';
import type { RunTerm } from '../../src/billing/rating/run.js';
import { instant, type Instant } from '../../src/kernel/instant.js';
import { fromStored, toDecimal } from '../../src/kernel/money.js';
import type { PriceAdjustment, PriceContent } from '../../src/pricing/price-content.js';
import type { Tier } from '../../src/pricing/tiers.js';
import type { Cancellation, CompletedSwitch } from '../../src/subscription/domain/term-state.js';
import { WEEK, aCharge, aComponent, aContent, aTerm } from '../support/builders/billing.js';
import { cancelledTerm } from '../support/builders/cancelled-term.js';
import { PureAccount } from '../support/pure-account.js';

const START = '2026-01-01';
const FLAT: Tier = {
  type: 'flat',
  rangeStart: '0',
  rangeEnd: null,
  costPerBatch: '4.00',
  unitsPerBatch: null,
  rounding: null,
};
const FIFTEENTH = instant('2026-01-15');

const priced = (type: PriceAdjustment['type'], amount: string, changes: Partial<PriceContent>) =>
  aContent({ priceAdjustment: { name: 'adjustment', description: null, type, amount }, ...changes });
const WEEKLY = priced('price_override', '31', {
  recurringCharges: [aCharge({ amount: '7.00', resetInterval: WEEK })],
});
const FULL = priced('fixed', '-4', { recurringCharges: [aCharge({ behavior: 'full' })] });

/** Bills the account and returns each line as `start of its time: base adjustments`, credits and reductions included. */
function linesOf(account: PureAccount, asOf: string): string[] {
  const lines = account.bill(asOf)?.lines ?? [];
  return lines.map(({ period, base, adjustments }) => {
    const amounts = [base, ...adjustments.map(({ amount }) => amount)];
    return `${period.start.slice(5, 10)}: ${amounts.map((amount) => toDecimal(fromStored(amount))).join(' ')}`;
  });
}

/** Bills up to a cancellation and returns the account with it. */
function cancelled(term: RunTerm, at: Instant, changes: Partial<Cancellation> = {}, bills = [START]) {
  const account = new PureAccount([term], []);
  for (const asOf of bills) account.run(asOf);
  account.terms = [cancelledTerm(term, { billedAt: at, ...changes }, at)];
  return account;
}

describe('a price adjustment of a period that is cut (docs/billing.md#price-adjustments)', () => {
  const weeks = ['2026-01-01', '2026-01-08T00:30:00Z'];

  it('is computed again where the cut leaves no line: a line of base 0 has the difference, once', () => {
    const account = cancelled(aTerm(WEEKLY), FIFTEENTH, {}, weeks);
    // The first week bore all of 31.00; 14 of 31 days cost 14.00.
    expect(linesOf(account, FIFTEENTH)).toEqual(['01-01: 0.00 -17.00', '01-01: 0.00 17.00']);
    expect(linesOf(account, '2026-03-01')).toEqual([]);
  });

  it('is on another line of the period where there is one', () => {
    const account = cancelled(aTerm(WEEKLY), instant('2026-01-15T12:00:00Z'), {}, [
      ...weeks,
      '2026-01-15T00:30:00Z',
    ]);
    expect(linesOf(account, '2026-01-15T12:00:00Z')[0]).toBe('01-15: 0.50 -17.00');
  });

  it('changes also for a full fee, which stays: its fixed amount is prorated to the time used', () =>
    expect(linesOf(cancelled(aTerm(FULL), instant('2026-01-11')), '2026-01-11')).toEqual([
      '01-01: 0.00 2.71',
    ]));

  it('changes with the settlement, not with an invoice before it', () => {
    const next = { invoicing: 'add_to_next_invoice', billedAt: instant('2026-02-01') } as const;
    const account = cancelled(aTerm(FULL), instant('2026-01-11'), next);
    expect(linesOf(account, '2026-01-20')).toEqual([]);
    expect(linesOf(account, '2026-02-01T00:30:00Z')).toEqual(['01-01: 0.00 2.71']);
  });

  it('is computed again where a fee is credited back and other charges stay', () => {
    const content = priced('price_override', '20', {
      recurringCharges: [aCharge()],
      components: [aComponent({ invoicingInterval: WEEK })],
    });
    const term = aTerm(content);
    const account = new PureAccount([term], [{ at: instant('2026-01-05'), n: '5' }]);
    account.run(START);
    expect(linesOf(account, '2026-01-08T00:30:00Z')).toEqual(['01-01: 5.00 -5.00']);
    account.terms = [
      cancelledTerm(term, { flatFee: 'refund', usage: 'bill_none', billedAt: FIFTEENTH }, FIFTEENTH),
    ];
    // The usage, none since the eighth, is all that is left: it costs 20.00 × 14/31.
    expect(linesOf(account, FIFTEENTH)).toEqual([
      '01-01: -30.00 10.00',
      '01-08: 0.00',
      '01-01: 0.00 9.03',
      '01-01: 0.00 10.97',
    ]);
  });

  it('reduces a charge to 0 before it reduces the charge before it', () => {
    const content = priced('price_override', '62', {
      recurringCharges: [aCharge({ amount: '10.00', behavior: 'full', resetInterval: WEEK })],
    });
    const account = new PureAccount([aTerm(content)]);
    // The second week is on the first invoice too: both are raised alike.
    expect(linesOf(account, '2026-01-08T00:30:00Z')).toEqual(['01-01: 10.00 21.00', '01-08: 10.00 21.00']);
    account.terms = [
      cancelledTerm(account.terms[0]!, { billedAt: instant('2026-01-09') }, instant('2026-01-09')),
    ];
    expect(linesOf(account, '2026-01-09')).toEqual([
      '01-01: 0.00 -15.00',
      '01-08: 0.00 -31.00',
      '01-01: 0.00 46.00',
    ]);
  });

  it('has its line in the place of its charge', () => {
    const content = { ...FULL, components: [aComponent()] };
    const account = cancelled(aTerm(content), instant('2026-01-11'));
    // The line of usage is that of a window without usage.
    expect(linesOf(account, '2026-01-11')).toEqual(['01-01: 0.00 2.71', '01-01: 0.00']);
  });

  it('leaves the time that usage was charged for: the next line covers what comes after that', () => {
    const content = priced('fixed', '1', {
      components: [aComponent({ tiers: [FLAT], invoicingInterval: { unit: 'day', count: 3 } })],
    });
    const term = aTerm(content);
    const account = new PureAccount([term]);
    account.run('2026-01-04T00:30:00Z');
    // Counts up to the 7th, and bills nothing.
    account.run('2026-01-07T00:30:00Z');
    const at = instant('2026-01-07T00:30:00Z');
    const switched: CompletedSwitch = {
      usage: 'keep_separate',
      invoicing: 'invoice_now',
      billedAt: at,
      periodEnd: instant('2026-02-01'),
      moved: [],
      successor: aTerm(aContent(), { name: 'successor', start: at }).term,
    };
    account.terms = [{ ...term, term: { ...term.term, end: at }, endedBy: 'switched', switched }];
    expect(linesOf(account, at)[0]).toBe('01-01: 0.00 -0.81');
    // Another term, so that the line of 0 is shown.
    account.terms.push(aTerm(FULL, { name: 'other', start: '2026-02-01' }));
    expect(linesOf(account, '2026-02-01T00:30:00Z')[0]).toBe('01-04: 0.00');
  });

  it('of a term whose end is moved later is that of the longer period', () => {
    const account = new PureAccount([aTerm(FULL, { end: '2026-01-11' })]);
    expect(linesOf(account, START)).toEqual(['01-01: 30.00 -1.29']);
    const [term] = account.terms;
    const end = instant('2026-02-01');
    account.terms = [{ ...term!, term: { ...term!.term, end }, endMoved: true }];
    expect(linesOf(account, '2026-01-20')).toEqual([]);
    expect(linesOf(account, '2026-02-01T00:30:00Z')).toEqual(['01-01: 0.00 -2.71', '01-01: 0.00 2.71']);
  });

  it('stays as it was by a policy before 2026-3', () => {
    const term = aTerm(FULL);
    const former = { ...term, term: { ...term.term, basis: { ...term.term.basis, policy: '2026-2' } } };
    expect(linesOf(cancelled(former, instant('2026-01-11')), '2026-01-11')).toEqual([]);
  });
});
